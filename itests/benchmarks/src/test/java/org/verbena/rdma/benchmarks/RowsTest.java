package org.verbena.rdma.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowsTest {
    static Stream<String> names() {
        return Rows.all().stream().map(Row::what);
    }

    /** No figure is looked at, only whether there is one: the machine may be as busy as it likes. */
    @ParameterizedTest
    @MethodSource("names")
    void everyRowRunsAndGivesAFigure(String name) throws Exception {
        Row row = Rows.all().stream()
                .filter(each -> each.what().equals(name))
                .findFirst()
                .orElseThrow();
        Assumptions.assumeTrue(row.missing().isEmpty(), row.missing());
        List<Result.Round> rounds = new ArrayList<>();
        RowRun.run(row, Effort.SMOKE, (number, round) -> rounds.add(round));
        assertThat(rounds).hasSize(1).allSatisfy(round -> {
            assertThat(round.value()).isFinite();
            if (!row.baseline().isEmpty()) {
                assertThat(round.baseline()).isFinite();
            }
        });
    }

    @Test
    void noTwoRowsHaveOneName() {
        assertThat(names()).doesNotHaveDuplicates();
    }
}
