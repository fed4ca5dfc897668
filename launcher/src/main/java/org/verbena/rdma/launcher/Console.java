package org.verbena.rdma.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The web page, on the loopback interface.
 *
 * @param port where it is to be
 * @param password what lets people in
 * @param given whether they know the password already
 */
record Console(int port, String password, boolean given) {
    static final int DEFAULT_PORT = 7480;

    /** The environment variable. */
    static final String PASSWORD = "VERBENA_CONSOLE_PASSWORD";

    private static final String HOST = "127.0.0.1";
    private static final int SHORTEST = 8;
    private static final int GENERATED = 20;

    /** Without those that look like others. */
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * Prepares it.
     *
     * @param port the port, 0 for any that is free
     * @param password the password, {@code null} or empty to make one
     */
    static Console of(int port, String password) throws LaunchException {
        boolean given = password != null && !password.isEmpty();
        if (given && password.length() < SHORTEST) {
            throw new LaunchException(PASSWORD + " needs " + SHORTEST + " characters or more");
        }
        // Jetty only logs that it cannot listen.
        try (ServerSocket probe = new ServerSocket(port, 0, InetAddress.getByName(HOST))) {
            return new Console(probe.getLocalPort(), given ? password : generate(), given);
        } catch (IOException e) {
            throw new LaunchException(
                    "the web console cannot have port " + port + " (" + e.getMessage()
                            + "): --console PORT takes another, --console 0 any",
                    e);
        }
    }

    private static String generate() {
        SecureRandom random = new SecureRandom();
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < GENERATED; i++) {
            password.append(i > 0 && i % 5 == 0 ? "-" : "").append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return password.toString();
    }

    /** What the framework has to know. */
    Map<String, String> properties() {
        return Map.of(
                "verbena.console.password",
                password,
                "org.apache.felix.http.host",
                HOST,
                "org.osgi.service.http.port",
                Integer.toString(port),
                "org.apache.felix.http.jetty.sendServerHeader",
                "false",
                // A browser sends the cookies of one port to all others of the host.
                "org.eclipse.jetty.servlet.SessionCookie",
                "verbena-" + port,
                "org.eclipse.jetty.servlet.SessionIdPathParameterName",
                "none");
    }

    /** Waits until it is there, and says where, and how to get in. */
    void announce(Platform platform) throws LaunchException {
        String servlet = "(&(objectClass=javax.servlet.Servlet)(felix.webconsole.label=verbena))";
        String host = "(&(objectClass=javax.servlet.Servlet)(osgi.http.whiteboard.servlet.name=verbena))";
        if (!platform.await(servlet, TIMEOUT) || !platform.await(host, TIMEOUT)) {
            throw new LaunchException("the web console has not come up; the log may tell why");
        }
        System.err.println("verbena: web console at http://" + HOST + ":" + port + "/  password: "
                + (given ? "as in " + PASSWORD : password));
    }

    @Override
    public String toString() {
        return "Console[port=" + port + "]";
    }

    /** Takes the next word for the port only if it is a number: it may as well be the command to run. */
    static final class PortConsumer implements IParameterConsumer {
        private static final int HIGHEST = 65_535;

        @Override
        public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
            if (words.isEmpty() || !words.peek().matches("\\d+")) {
                option.setValue(DEFAULT_PORT);
                return;
            }
            String word = words.pop();
            if (word.length() > 5 || Integer.parseInt(word) > HIGHEST) {
                throw new ParameterException(
                        command.commandLine(), "the port of --console is at most " + HIGHEST + ", not " + word);
            }
            option.setValue(Integer.valueOf(word));
        }
    }
}
