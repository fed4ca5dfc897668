package org.verbena.rdma.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {
    private final Result result =
            new Result(List.of(new Result.Round(10, 5), new Result.Round(30, 10), new Result.Round(400, 400)));

    @Test
    void showsMediansOfTheRounds() {
        assertThat(result.value()).isEqualTo(30);
        assertThat(result.baseline()).isEqualTo(10);
    }

    @Test
    void comparesWithinARound() {
        assertThat(result.ratio()).isEqualTo(2);
        assertThat(result.difference()).isEqualTo(5);
    }

    @Test
    void takesTheMiddleOfTwo() {
        assertThat(new Result(List.of(new Result.Round(1, 1), new Result.Round(2, 1))).ratio())
                .isEqualTo(1.5);
    }

    @Test
    void goalsAreMetOrNot() {
        assertThat(Goal.ratioAtMost(2).met(result)).isEqualTo("yes");
        assertThat(Goal.ratioAtMost(1.9).met(result)).isEqualTo("no");
        assertThat(Goal.ratioAtLeast(2).met(result)).isEqualTo("yes");
        assertThat(Goal.ratioAtLeast(2.1).met(result)).isEqualTo("no");
        assertThat(Goal.moreByAtMost(5, "ns").met(result)).isEqualTo("yes");
        assertThat(Goal.moreByAtMost(4, "ns").met(result)).isEqualTo("no");
        assertThat(Goal.atMost(30, "B").met(result)).isEqualTo("yes");
        assertThat(Goal.atMost(29, "B").met(result)).isEqualTo("no");
        assertThat(Goal.NONE.met(result)).isEmpty();
    }

    @Test
    void goalsSayWhatTheyAre() {
        assertThat(Goal.ratioAtMost(1.3).text()).isEqualTo("at most 1.3x");
        assertThat(Goal.moreByAtMost(5, "ns").text()).isEqualTo("at most +5 ns");
    }
}
