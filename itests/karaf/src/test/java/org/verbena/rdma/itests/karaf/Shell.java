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
import org.apache.sshd.client.channel.ChannelShell;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;

/** The SSH server of Karaf, as one user sees it. Karaf ends a login with its first command, so each has one. */
final class Shell implements AutoCloseable {
    private static final Pattern COLORS = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");

    private final SshClient client = SshClient.setUpDefaultClient();
    private final int port;
    private final String user;

    /** The password of a user is the user's name. */
    Shell(int port, String user) {
        this.port = port;
        this.user = user;
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
        ClientSession session = logIn();
        try {
            return new Running(session, command);
        } catch (IOException | RuntimeException e) {
            session.close(true);
            throw e;
        }
    }

    /** Opens a terminal, as a person does. */
    Terminal open() throws IOException {
        ClientSession session = logIn();
        try {
            return new Terminal(session);
        } catch (IOException | RuntimeException e) {
            session.close(true);
            throw e;
        }
    }

    private ClientSession logIn() throws IOException {
        ClientSession session =
                client.connect(user, "127.0.0.1", port).verify(Karaf.PATIENCE).getSession();
        try {
            session.addPasswordIdentity(user);
            session.auth().verify(Karaf.PATIENCE);
            return session;
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

    /** A terminal, on which one types and looks. */
    static final class Terminal implements AutoCloseable {
        private static final int WIDTH = 200;
        private static final String CONTROL_C = "\u0003";

        private final ClientSession session;
        private final ChannelShell channel;
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private int seen;

        private Terminal(ClientSession session) throws IOException {
            this.session = session;
            channel = session.createShellChannel();
            channel.setPtyType("xterm");
            channel.setPtyColumns(WIDTH);
            channel.setOut(output);
            channel.setErr(output);
            channel.open().verify(Karaf.PATIENCE);
            await("karaf@root");
        }

        /** Types, and forgets what was shown before. */
        void type(String keys) throws IOException {
            seen = output.size();
            channel.getInvertedIn().write(keys.getBytes(UTF_8));
            channel.getInvertedIn().flush();
        }

        /** Types a line. */
        void enter(String line) throws IOException {
            type(line + "\r");
        }

        /** Interrupts what runs. */
        void interrupt() throws IOException {
            type(CONTROL_C);
        }

        /** What was shown since something was typed. */
        String shown() {
            byte[] all = output.toByteArray();
            return COLORS.matcher(new String(all, seen, all.length - seen, UTF_8))
                    .replaceAll("");
        }

        void await(String text) {
            Karaf.await("the terminal shows '" + text + "'", () -> shown().contains(text), this::shown);
        }

        @Override
        public void close() throws IOException {
            session.close(true).await(Duration.ofSeconds(10));
        }
    }
}
