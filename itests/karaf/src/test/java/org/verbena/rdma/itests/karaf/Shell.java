package org.verbena.rdma.itests.karaf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.regex.Pattern;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;

/** The SSH server of Karaf, as the user karaf sees it. Karaf ends a login with its first command, so each has one. */
final class Shell implements AutoCloseable {
    private static final Pattern COLORS = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");

    private final SshClient client = SshClient.setUpDefaultClient();
    private final int port;

    Shell(int port) {
        this.port = port;
        client.setServerKeyVerifier((session, address, key) -> true);
        client.start();
    }

    /** Runs a command to its end, and returns what it has printed. */
    String run(String command) throws IOException {
        try (Running running = start(command)) {
            running.awaitEnd();
            assertThat(running.status())
                    .as(command + " ends well; it says: " + running.output())
                    .isZero();
            return running.output();
        }
    }

    /**
     * Starts a command, which goes on until it ends or is closed.
     *
     * @throws IOException if nobody listens yet, or lets in yet
     */
    Running start(String command) throws IOException {
        ClientSession session = client.connect("karaf", "127.0.0.1", port)
                .verify(Karaf.PATIENCE)
                .getSession();
        try {
            session.addPasswordIdentity("karaf");
            session.auth().verify(Karaf.PATIENCE);
            return new Running(session, command);
        } catch (IOException | RuntimeException e) {
            session.close(true);
            throw e;
        }
    }

    @Override
    public void close() {
        client.stop();
    }

    /** A command that runs, and what it prints. */
    static final class Running implements AutoCloseable {
        private final ClientSession session;
        private final String command;
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ChannelExec channel;

        private Running(ClientSession session, String command) throws IOException {
            this.session = session;
            this.command = command;
            channel = session.createExecChannel(command);
            channel.setOut(output);
            channel.setErr(output);
            channel.open().verify(Karaf.PATIENCE);
        }

        String output() {
            return COLORS.matcher(output.toString(UTF_8)).replaceAll("");
        }

        void awaitOutput(String text) {
            Karaf.await(command + " says '" + text + "'", () -> output().contains(text), this::output);
        }

        boolean isRunning() {
            return channel.isOpen() && channel.getExitStatus() == null;
        }

        void awaitEnd() {
            assertThat(channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), Karaf.PATIENCE))
                    .as(command + " ends; so far it says: " + output())
                    .contains(ClientChannelEvent.CLOSED);
        }

        /** The exit status; Karaf gives none to some commands that fail. */
        int status() {
            return channel.getExitStatus() == null ? -1 : channel.getExitStatus();
        }

        @Override
        public void close() throws IOException {
            session.close(true).await(Duration.ofSeconds(10));
        }
    }
}
