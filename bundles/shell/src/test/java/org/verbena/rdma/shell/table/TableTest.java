package org.verbena.rdma.shell.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table("NAME", "IDS", "NOTE");

    @Test
    void alignsColumnsUnderTheirHeadings() {
        table.row("lo", 12, "first");
        table.row("a-long-name", 3, "");

        assertThat(printed())
                .containsExactly(
                        "NAME         IDS  NOTE", //
                        "lo           12   first",
                        "a-long-name  3");
    }

    @Test
    void leavesOutWhatIsEmptyThroughout() {
        table.row("lo", 12, "");

        assertThat(printed()).containsExactly("NAME  IDS", "lo    12");
    }

    @Test
    void saysThatItIsEmpty() {
        assertThat(printed()).containsExactly("none here");
    }

    @Test
    void refusesARowOfAnotherLength() {
        assertThatThrownBy(() -> table.row("lo")).hasMessageContaining("3 cells, not 1");
    }

    private String[] printed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.print(new PrintStream(bytes, true, UTF_8), "none here");
        return bytes.toString(UTF_8).lines().toArray(String[]::new);
    }
}
