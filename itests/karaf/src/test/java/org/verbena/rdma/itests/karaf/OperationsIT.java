package org.verbena.rdma.itests.karaf;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Beans, metrics, health checks and the page, in a Karaf that has what people run beside them: its own HTTP service, web
 * console, and an executor of health checks. And who may do what.
 */
@NeedsKaraf
@Timeout(value = 2, unit = MINUTES, threadMode = SEPARATE_THREAD)
class OperationsIT {
    private static final String HEALTH = "org.apache.felix.hc.core.impl.servlet.HealthCheckExecutorServlet-here.cfg";
    private static final String HELD_UP = "The removal of one is held up by bundle test.consumers.stubborn,";
    private static final String PAGE = "/system/console/verbena";
    private static final String[] STRING = {String.class.getName()};

    private static Karaf karaf;
    private static int metricsPort;

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @BeforeAll
    static void start() throws Exception {
        karaf = Karaf.unpack("operations").withNetwork();
        metricsPort = Karaf.freePorts(1).get(0);
        karaf.configure("org.verbena.rdma.metrics.cfg", "port = " + metricsPort + "\n");
        karaf.configure("org.verbena.rdma.core.cfg", "removal.deadline.ms = 600000\n");
        karaf.configure(HEALTH, "servletPath = /health\n");
        karaf.configure("org.verbena.rdma.provider.loopback-one.cfg", "addresses = 198.18.0.1\n");
        karaf.configure("org.verbena.rdma.provider.loopback-two.cfg", "addresses = 198.18.0.2\n");
        karaf.start();
        karaf.run("feature:repo-add "
                + Path.of(System.getProperty("verbena.root"), "itests/karaf/src/test/features/features.xml")
                        .toUri());
        karaf.run("feature:install neighbours");
        karaf.startRecorder();
        karaf.installKar();
        karaf.run("feature:install verbena-all");
        karaf.awaitOutput("rdma:devices", "198.18.0.2", true);
    }

    @AfterAll
    static void stop() {
        if (karaf != null) {
            karaf.close();
        }
    }

    @Test
    void theNeighboursAreLeftAlone() throws Exception {
        assertThat(karaf.bundleEventsSoFar())
                .contains("STARTED org.verbena.rdma.console")
                .noneMatch(event -> event.matches("(STOPPED|UNRESOLVED|UPDATED|UNINSTALLED|ERROR) (?!test\\.).*"));
        assertThat(karaf.run("bundle:list -t 0 -s")).doesNotContain("org.apache.felix.http.jetty");
        assertThat(karaf.log()).doesNotContain("BindException");
    }

    // Who may do what

    @Test
    void whoMayOnlyLookCannotPull() throws Exception {
        assertThat(asViewer("rdma:devices two")).contains("198.18.0.2");
        assertThat(asViewer("rdma:stats two")).isNotEmpty();

        assertThat(asViewer("rdma:unplug two")).contains("Command not found: rdma:unplug");
        assertThat(asViewer("rdma:plug two")).contains("Command not found: rdma:plug");
        assertThat(karaf.run("rdma:devices two")).contains("present");

        assertThat(karaf.run("rdma:unplug two")).contains("device two is out after");
        assertThat(asViewer("rdma:plug two")).contains("Command not found: rdma:plug");
        assertThat(karaf.run("rdma:plug two")).contains("device two serves again on 198.18.0.2");
    }

    private static String asViewer(String command) throws IOException {
        try (Shell.Running running = karaf.beginAsViewer(command)) {
            running.awaitEnd();
            return running.output();
        }
    }

    @Test
    void whoMayOnlyLookReadsTheBeanAndInvokesNothing() throws Exception {
        try (JMXConnector viewers = karaf.manageAs("viewer");
                JMXConnector admins = karaf.manageAs("karaf")) {
            MBeanServerConnection viewer = viewers.getMBeanServerConnection();
            MBeanServerConnection admin = admins.getMBeanServerConnection();
            assertThat(condition(viewer, "two")).isEqualTo("PRESENT");
            for (String operation : new String[] {"unplug", "plug"}) {
                assertThatThrownBy(() -> viewer.invoke(bean(), operation, new Object[] {"two"}, STRING))
                        .isInstanceOf(SecurityException.class);
            }
            assertThat(condition(viewer, "two")).isEqualTo("PRESENT");

            assertThat(admin.invoke(bean(), "unplug", new Object[] {"two"}, STRING))
                    .isEqualTo("device two is out");
            assertThat(condition(viewer, "two")).isEqualTo("UNPLUGGED");
            assertThat(admin.invoke(bean(), "plug", new Object[] {"two"}, STRING))
                    .isEqualTo("device two serves again");
        }
    }

    private static ObjectName bean() throws Exception {
        return new ObjectName("org.verbena.rdma:type=Monitor");
    }

    private static Stream<CompositeData> rows(MBeanServerConnection server, String attribute) throws Exception {
        return ((TabularData) server.getAttribute(bean(), attribute))
                .values().stream().map(CompositeData.class::cast);
    }

    private static Object condition(MBeanServerConnection server, String device) throws Exception {
        return rows(server, "Devices")
                .filter(row -> row.get("name").equals(device))
                .findFirst()
                .orElseThrow()
                .get("condition");
    }

    // What others ask

    @Test
    void prometheusFindsTheMetrics() throws Exception {
        assertThat(metrics())
                .containsPattern("verbena_device_up\\{device=\"two\",provider=\"loopback\",.*\\} 1")
                .contains("verbena_device_link_up{device=\"iwarp-lo\"} 1");
    }

    private String metrics() throws Exception {
        return get(URI.create("http://127.0.0.1:" + metricsPort + "/metrics"), null)
                .body();
    }

    @Test
    void theHealthChecksAreExecuted() throws Exception {
        Karaf.await("the executor of health checks finds ours", () -> health().contains("RDMA consumers"), karaf::log);
        assertThat(health()).contains("Device one serves 198.18.0.1.", "No consumer is in the way.");
    }

    private String health() {
        try {
            return get(karaf.address("/health?tags=rdma&format=json"), null).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thePageIsForAdminsOnly() throws Exception {
        List<URI> addresses = Stream.of("", "/page.htm", "/state.json", "/session.json")
                .map(path -> karaf.address(PAGE + path))
                .toList();
        for (URI address : addresses) {
            assertThat(get(address, null).statusCode()).as("nobody, " + address).isEqualTo(401);
            assertThat(get(address, "viewer").statusCode())
                    .as("viewer, " + address)
                    .isEqualTo(401);
        }
        // From here on the cookie says who it is, and Karaf asks no more.
        for (URI address : addresses) {
            assertThat(get(address, "karaf").statusCode())
                    .as("admin, " + address)
                    .isEqualTo(200);
        }
        assertThat(get(karaf.address(PAGE), "karaf").body()).contains("RDMA devices", "verbena/page.htm");
        assertThat(get(karaf.address(PAGE + "/page.htm"), "karaf").body()).contains("<title>Verbena</title>");
    }

    @Test
    void thePageShowsTheDevicesAndPullsOneForWhoHasItsToken() throws Exception {
        assertThat(get(karaf.address(PAGE + "/state.json"), "karaf").body()).contains("198.18.0.2");

        assertThat(post("unplug.json", "two", "karaf", "").statusCode()).isEqualTo(403);
        assertThat(karaf.run("rdma:devices two")).contains("present");

        String token = JsonParser.parseString(
                        get(karaf.address(PAGE + "/session.json"), "karaf").body())
                .getAsJsonObject()
                .get("token")
                .getAsString();
        assertThat(post("unplug.json", "two", null, token).statusCode()).isEqualTo(401);
        assertThat(post("unplug.json", "two", "karaf", token).statusCode()).isEqualTo(202);
        karaf.awaitOutput("rdma:devices two", "unplugged", true);
        assertThat(get(karaf.address(PAGE + "/state.json"), "karaf").body()).contains("unplug two, asked for by karaf");
        assertThat(post("plug.json", "two", "karaf", token).statusCode()).isEqualTo(202);
        karaf.awaitOutput("rdma:devices two", "present", true);
    }

    // Who holds up a removal

    @Test
    void oneCommandSaysWhichBundleHoldsUpARemoval() throws Exception {
        Path stubborn = TestBundles.build("consumers.stubborn", Map.of("Service-Component", "OSGI-INF/*.xml"));
        karaf.run("bundle:install -s -l 80 " + stubborn.toUri());
        karaf.awaitOutput("rdma:devices one", "test.consumers.stubborn", true);
        try (Shell.Running removal = karaf.begin("rdma:unplug one")) {
            Karaf.await(
                    "rdma:devices names the bundle",
                    () -> karaf.run("rdma:devices one")
                            .matches("(?s).*held up by +bundle test\\.consumers\\.stubborn,.*"),
                    () -> karaf.run("rdma:devices one"));
            removal.awaitOutput("bundle test.consumers.stubborn,");
            assertThat(removal.isRunning()).isTrue();
            assertThat(karaf.run("rdma:doctor")).contains(HELD_UP);
            assertThat(metrics()).containsPattern("verbena_removal_held_up\\{.*test\\.consumers\\.stubborn");
            // The executor keeps a result for a while.
            Karaf.await("the health check names the bundle", () -> health().contains(HELD_UP), this::health);
            try (JMXConnector viewers = karaf.manageAs("viewer")) {
                CompositeData row = rows(viewers.getMBeanServerConnection(), "Removals")
                        .findFirst()
                        .orElseThrow();
                assertThat(((String[]) row.get("waitingFor"))[0]).startsWith("bundle test.consumers.stubborn,");
            }

            karaf.run("bundle:stop test.consumers.stubborn");

            removal.awaitEnd();
            assertThat(removal.output()).contains("device one is out after");
        }
        karaf.run("bundle:uninstall test.consumers.stubborn");
        karaf.run("rdma:plug one");
    }

    // HTTP

    private HttpResponse<String> get(URI address, String user) throws Exception {
        return browser.send(as(user, HttpRequest.newBuilder(address)).build(), ofString());
    }

    private HttpResponse<String> post(String name, String device, String user, String token) throws Exception {
        return browser.send(
                as(user, HttpRequest.newBuilder(karaf.address(PAGE + "/" + name)))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("X-Verbena-Token", token)
                        .POST(HttpRequest.BodyPublishers.ofString("device=" + device))
                        .build(),
                ofString());
    }

    private static HttpRequest.Builder as(String user, HttpRequest.Builder request) {
        return user == null
                ? request
                : request.header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(UTF_8)));
    }
}
