package org.verbena.rdma.rping.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.PortSpace;

/** What the command makes of its arguments; that it pings is tested over a provider. */
class RpingCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final RpingCommand command = new RpingCommand(new EndedSession());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "-c                             | a client needs the address of its server: -a ADDRESS",
                "-c -a nosuch.invalid           | there is no host or address 'nosuch.invalid'",
                "-s -a nosuch.invalid           | there is no host or address 'nosuch.invalid'",
                "-c -a 127.0.0.1 -I x.invalid   | there is no host or address 'x.invalid'",
                "-c -a 127.0.0.1 -S 22          | the size must be 23 to 65535, not 22",
                "-c -a 127.0.0.1 -S 65536       | the size must be 23 to 65535, not 65536",
                "-s -S 22                       | the size must be 23 to 65535, not 22",
                "-c -a 127.0.0.1 -C -1          | the count must not be negative, it is -1",
                "-c -a 127.0.0.1 -p 0           | the port must be 1 to 65535, not 0",
                "-s -p 65536                    | the port must be 0 to 65535, not 65536",
                "-s -I 127.0.0.1                | -I is for the client; a server listens on -a ADDRESS",
                "-c -a 127.0.0.1 -P             | -P is for the server",
                "-s -c -a 127.0.0.1 -P          | -P is for the server alone",
                "-s -c                          | a client needs the address of its server: -a ADDRESS",
                "-s -c -a 127.0.0.1             | the session has ended",
                "-c -a 127.0.0.1                | the session has ended",
                "-s                             | the session has ended",
            })
    void saysWhatIsWrongInOneSentence(String arguments, String sentence) throws Exception {
        assertThat(run(arguments)).isEqualTo(1);
        assertThat(err.toString(UTF_8)).isEqualTo("rping: " + sentence + System.lineSeparator());
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"''", "-v", "-x", "-c -a", "-s extra", "-s -p seven", "-s -S 1.5"})
    void refusesArgumentsThatItDoesNotKnow(String arguments) throws Exception {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString(UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("rping: ")
                .contains("--help");
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"--help", "-h", "-s --help"})
    void explainsItself(String arguments) throws Exception {
        assertThat(run(arguments)).isZero();
        assertThat(out.toString(UTF_8)).contains("-P, --persistent", "23 to 65535", "7174", "exit status");
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void takesTheLettersTogetherAsTheProgramInCDoes() throws Exception {
        assertThat(run("-cvVdq -a127.0.0.1 -C10 -S64 -p7000")).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("the session has ended");
    }

    @Test
    void runsNothingAfterItsEnd() {
        command.deactivate();

        assertThatThrownBy(() -> run("-s")).isInstanceOf(InterruptedException.class);
    }

    private int run(String arguments) throws InterruptedException {
        List<String> words =
                arguments.isBlank() ? List.of() : Arrays.asList(arguments.trim().split(" +"));
        return command.run(words, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    /** Stands for core where the arguments are good. */
    private static final class EndedSession implements ConnectionManager {
        @Override
        public CmId createId(PortSpace portSpace, EventHandler handler) throws RdmaException {
            throw new RdmaException(RdmaError.NOT_PERMITTED, "the session has ended");
        }

        @Override
        public CmId createId(PortSpace portSpace, RdmaDevice device, EventHandler handler) throws RdmaException {
            throw new RdmaException(RdmaError.NOT_PERMITTED, "the session has ended");
        }
    }
}
