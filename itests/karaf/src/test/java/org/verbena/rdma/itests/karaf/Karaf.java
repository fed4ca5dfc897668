package org.verbena.rdma.itests.karaf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.given;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Karaf as it is downloaded, unpacked anew, as a process of its own. What differs from the download: its ports, so that
 * several can run; the user karaf may log in; and Maven is asked for nothing, neither on the network nor in a repository
 * of this machine. Besides karaf there is the user viewer, who may look and do nothing; the password of each is its name.
 */
final class Karaf implements AutoCloseable {
    /** For whatever takes a second on an idle machine. */
    static final Duration PATIENCE = Duration.ofSeconds(180);

    private static final Path ROOT = Path.of(System.getProperty("verbena.root"));
    private static final String VERSION = System.getProperty("verbena.version");

    private final Path home;
    private final Path repository;
    private final Shell shell;
    private final Shell viewers;
    private final int jmxPort;
    private final int httpPort;
    private Process process;
    private int eventsSeen;

    private Karaf(Path home, Path repository, int jmxPort, int sshPort, int httpPort) {
        this.home = home;
        this.repository = repository;
        this.jmxPort = jmxPort;
        this.httpPort = httpPort;
        shell = new Shell(sshPort, "karaf");
        viewers = new Shell(sshPort, "viewer");
    }

    /** Unpacks one. */
    static Karaf unpack(String name) throws IOException {
        Path home = Path.of(System.getProperty("verbena.target"), "karaf", name);
        delete(home);
        copy(ROOT.resolve("features/target/apache-karaf-" + System.getProperty("karaf.version")), home);
        List<Integer> ports = freePorts(4);
        Path repository = home.resolveSibling(name + "-repository");
        delete(repository);
        Karaf karaf = new Karaf(home, repository, ports.get(0), ports.get(2), ports.get(3));
        karaf.set("org.apache.karaf.management.cfg", "rmiRegistryPort", ports.get(0));
        karaf.set("org.apache.karaf.management.cfg", "rmiServerPort", ports.get(1));
        karaf.set("org.apache.karaf.shell.cfg", "sshPort", ports.get(2));
        karaf.set("org.ops4j.pax.url.mvn.cfg", "org.ops4j.pax.url.mvn.repositories", "");
        karaf.set("org.ops4j.pax.url.mvn.cfg", "org.ops4j.pax.url.mvn.localRepository", repository);
        for (String service : List.of("org.apache.felix.http.cfg", "org.ops4j.pax.web.cfg")) {
            Files.writeString(karaf.etc(service), "org.osgi.service.http.port = " + ports.get(3) + "\n");
        }
        Files.writeString(
                karaf.etc("users.properties"),
                "karaf = karaf,_g_:admingroup\n_g_\\:admingroup = group,admin,manager,viewer,systembundles,ssh\n"
                        + "viewer = viewer,viewer,ssh\n");
        return karaf;
    }

    /** Lets it find what a Karaf with a network would. */
    Karaf withNetwork() throws IOException {
        set(
                "org.ops4j.pax.url.mvn.cfg",
                "org.ops4j.pax.url.mvn.defaultRepositories",
                "file:${karaf.home}/system@id=system@snapshots,"
                        + "file:${karaf.data}/kar@id=kar@multi@snapshots,"
                        + Path.of(System.getProperty("verbena.target"), "network")
                                .toUri() + "@id=network@snapshots");
        return this;
    }

    /** Where the build has put the KAR. */
    static Path kar() {
        return ROOT.resolve("features/target/verbena-" + VERSION + ".kar").normalize();
    }

    /** Starts it, and waits until all that it boots with is there. */
    Karaf start() throws IOException {
        return start(List.of("server"));
    }

    /** Starts it as a person does who goes on in its console. */
    void startInConsole() throws IOException {
        start(List.of());
    }

    /** Types a line into the console. */
    void type(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** What the console shows, without colors and prompts. */
    String screen() {
        return read(home.resolve("console.txt"))
                .replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "")
                .replaceAll("(karaf@root\\(\\)>)?[ \r]+", " ");
    }

    /** Shuts it down in good order. */
    void stop() throws IOException, InterruptedException {
        try (Shell.Running shutdown = begin("system:shutdown -f")) {
            shutdown.awaitEnd();
        }
        awaitEnd();
    }

    /** Waits for the end of the process. */
    void awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("Karaf ends; its log: " + log())
                .isTrue();
        process = null;
    }

    private Karaf start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/karaf").toString()));
        command.addAll(arguments);
        ProcessBuilder script = new ProcessBuilder(command);
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process = script.redirectErrorStream(true)
                .redirectOutput(home.resolve("console.txt").toFile())
                .start();
        await("Karaf has started", this::hasBooted, this::log);
        return this;
    }

    Path etc(String file) {
        return home.resolve("etc").resolve(file);
    }

    /** Writes a file into etc, at once as a whole. */
    void configure(String file, String content) throws IOException {
        Path draft = home.resolve("draft");
        Files.writeString(draft, content);
        Files.move(draft, etc(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void installKar() {
        run("kar:install " + kar().toUri());
    }

    String run(String command) {
        try {
            return shell.run(command);
        } catch (IOException e) {
            throw new UncheckedIOException(command, e);
        }
    }

    Shell.Running begin(String command) throws IOException {
        return shell.start(command);
    }

    Shell.Terminal openTerminal() throws IOException {
        return shell.open();
    }

    /** Starts a command as somebody who may only look. */
    Shell.Running beginAsViewer(String command) throws IOException {
        return viewers.start(command);
    }

    /** Connects with the server of JMX beans; the password of a user is the user's name. */
    JMXConnector manageAs(String user) throws IOException {
        return JMXConnectorFactory.connect(
                new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + jmxPort + "/karaf-root"),
                Map.of(JMXConnector.CREDENTIALS, new String[] {user, user}));
    }

    /** An address that its HTTP service has. */
    URI address(String path) {
        return URI.create("http://127.0.0.1:" + httpPort + path);
    }

    /** Waits until a command prints, or prints no more, something. */
    void awaitOutput(String command, String text, boolean there) {
        await(
                command + (there ? " says " : " says no more ") + text,
                () -> run(command).contains(text) == there,
                () -> run(command) + log());
    }

    void startRecorder() throws Exception {
        Path recorder = TestBundles.build(
                "recorder", Map.of("Bundle-Activator", "org.verbena.rdma.itests.karaf.recorder.BundleEventRecorder"));
        run("bundle:install -s -l 1 " + recorder.toUri());
    }

    /** What has happened to bundles since the recorder was started, as STARTED name. */
    List<String> bundleEventsSoFar() throws IOException {
        return linesOf("bundle-events.txt");
    }

    /** A file that a bundle of a test has written. */
    List<String> linesOf(String file) throws IOException {
        return Files.readAllLines(home.resolve("data").resolve(file));
    }

    /** What has happened to bundles since the last call, as STARTED name. */
    List<String> bundleEvents() throws IOException {
        List<String> all = bundleEventsSoFar();
        List<String> news = all.subList(eventsSeen, all.size());
        eventsSeen = all.size();
        return news;
    }

    String log() {
        Path log = home.resolve("data/log/karaf.log");
        return Files.exists(log) ? read(log) : screen();
    }

    /** Whether anything came from Maven instead of from the KAR or Karaf itself. */
    boolean hasDownloaded() {
        return Files.exists(repository);
    }

    @Override
    public void close() {
        shell.close();
        viewers.close();
        if (process != null) {
            // bin/karaf has java as a child.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    static void await(String what, BooleanSupplier condition, Supplier<String> otherwise) {
        try {
            given().pollInterval(Duration.ofMillis(200))
                    .await(what)
                    .atMost(PATIENCE)
                    .until(condition::getAsBoolean);
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(what + ": not so. " + otherwise.get(), e);
        }
    }

    private boolean hasBooted() {
        assertThat(process.isAlive()).as("Karaf runs; " + log()).isTrue();
        try (Shell.Running service = shell.start("service:list org.apache.karaf.features.BootFinished")) {
            service.awaitEnd();
            return service.output().contains("[org.apache.karaf.features.BootFinished]");
        } catch (IOException notYet) {
            return false;
        }
    }

    private void set(String file, String key, Object value) throws IOException {
        // The last one holds.
        List<String> lines = new ArrayList<>();
        boolean goesOn = false;
        for (String line : Files.readAllLines(etc(file))) {
            boolean drop = goesOn || line.matches("\\Q" + key + "\\E *=.*");
            goesOn = drop && line.endsWith("\\");
            if (!drop) {
                lines.add(line);
            }
        }
        lines.add(key + " = " + value);
        Files.write(etc(file), lines, UTF_8);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Integer> freePorts(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0);
            held.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
        return ports;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Path copy = to.resolve(from.relativize(path).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> all = Files.walk(tree)) {
                for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(path);
                }
            }
        }
    }
}
