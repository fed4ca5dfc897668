package org.verbena.rdma.itests.karaf;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Beans, metrics, health checks and the page, in a Karaf that has what people run beside them: its own HTTP service, web
 * console, and an executor of health checks. And who may do what.
 */
@NeedsKaraf
class OperationsIT {
    private static final String HEALTH = "org.apache.felix.hc.core.impl.servlet.HealthCheckExecutorServlet-here.cfg";
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
        karaf.configure(HEALTH, "servletPath = /health\n");
        karaf.configure("org.verbena.rdma.provider.loopback-one.cfg", "addresses = 198.18.0.1\n");
        karaf.configure("org.verbena.rdma.provider.loopback-two.cfg", "addresses = 198.18.0.2\n");
        karaf.start();
        karaf.run("feature:repo-add "
                + Path.of(System.getProperty("verbena.root"), "itests/karaf/src/test/features/features.xml")
                        .toUri());
        karaf.run("feature:install neighbours");
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
