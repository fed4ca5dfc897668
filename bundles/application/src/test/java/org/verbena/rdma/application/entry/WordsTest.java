package org.verbena.rdma.application.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WordsTest {
    private final CommandProcessorImpl gogo = new CommandProcessorImpl(null);
    private final CommandSession session = gogo.createSession(
            new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), new ByteArrayOutputStream());

    @AfterEach
    void stop() {
        gogo.stop();
    }

    @Test
    void reachTheCommandAsTheyAre() throws Exception {
        gogo.addCommand("test", new Command(), "words");
        List<String> words =
                List.of("words", "-a", "fe80::1%eth0", "::0", "0x10", "1e3", "$HOME", "a b", "*", "it's", "{ }", "");

        assertThat(session.execute(Words.of(words).in(session))).isEqualTo(words.subList(1, words.size()));
    }

    @Test
    void mayBeTheCommandAlone() throws Exception {
        gogo.addCommand("test", new Command(), "words");

        assertThat(session.execute(Words.of(List.of("words")).in(session))).isEqualTo(List.of());
    }

    /** Returns its arguments. */
    public static final class Command {
        public List<String> words(String[] arguments) {
            return List.of(arguments);
        }
    }
}
