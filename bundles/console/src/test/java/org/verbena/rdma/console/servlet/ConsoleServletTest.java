package org.verbena.rdma.console.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.console.Snapshots;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.Snapshot;

/** The servlet in a real server, whose sessions are those of two logins. */
class ConsoleServletTest {
    private static final String SCRIPT = "<script>alert(1)</script>";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<DeviceSnapshot> devices = new ArrayList<>(List.of(Snapshots.device("one", "10.0.0.1")));
    private final List<IdSnapshot> ids = new ArrayList<>();
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();
    private final List<MonitorListener> listeners = new CopyOnWriteArrayList<>();
    private final Monitor monitor = (Monitor) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Monitor.class},
            (proxy, method, arguments) -> answer(method.getName(), arguments));
    private final ConsoleServlet servlet = new ConsoleServlet(monitor);
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final HttpClient browser = browser();
    private final HttpClient otherBrowser = browser();
    private boolean sessionIsLogin;

    private static HttpClient browser() {
        return HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    }

    private Object answer(String method, Object[] arguments) throws RdmaException {
        switch (method) {
            case "snapshot":
                return new Snapshot(Instant.EPOCH, devices, ids, List.of(), List.of(), List.of(), List.of());
            case "addListener":
                listeners.add((MonitorListener) arguments[0]);
                return (Monitor.Registration) () -> listeners.remove(arguments[0]);
            default:
                if (!arguments[0].equals("one")) {
                    throw new RdmaException(RdmaError.NOT_FOUND, "there is no device " + arguments[0]);
                }
                asked.add(method + " " + arguments[0]);
                return outcome;
        }
    }

    /** As a host that has seen to the login calls it. */
    private final class Host extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if (sessionIsLogin) {
                request.setAttribute(ConsoleServlet.SESSION_IS_LOGIN, true);
            }
            servlet.service(request, response);
        }
    }

    @BeforeEach
    void start() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.addServlet(new ServletHolder(new Host()), "/*");
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        servlet.deactivate();
        assertThat(listeners).isEmpty();
    }

    private HttpRequest.Builder request(String name) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/" + name));
    }

    private HttpResponse<String> get(String name) throws Exception {
        return browser.send(request(name).GET().build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String name, String token, String body) throws Exception {
        HttpRequest.Builder request = request(name)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (token != null) {
            request.header("X-Verbena-Token", token);
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private String token(HttpClient of) throws Exception {
        String session = of.send(request("session.json").GET().build(), BodyHandlers.ofString())
                .body();
        return JsonParser.parseString(session).getAsJsonObject().get("token").getAsString();
    }

    private JsonObject state(String query) throws Exception {
        return JsonParser.parseString(get("state.json?" + query).body()).getAsJsonObject();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unplug.json", "plug.json", "logout.json"})
    void aRequestWithoutTheTokenOfItsSessionChangesNothing(String name) throws Exception {
        sessionIsLogin = true;
        assertThat(post(name, null, "device=one").statusCode())
                .as("before there is a session")
                .isEqualTo(403);
        String mine = token(browser);
        String others = token(otherBrowser);
        assertThat(mine).isNotEqualTo(others).hasSizeGreaterThan(40);

        for (String wrong : new String[] {null, "", "nonsense", mine + "x", mine.substring(1), others}) {
            HttpResponse<String> refused = post(name, wrong, "device=one");
            assertThat(refused.statusCode()).as(wrong).isEqualTo(403);
            assertThat(refused.body()).contains("load the page again").doesNotContain(mine);
        }
        assertThat(post(name + "?token=" + mine + "&X-Verbena-Token=" + mine, null, "device=one")
                        .statusCode())
                .isEqualTo(403);
        assertThat(asked).isEmpty();
        assertThat(token(browser)).as("still logged in, with the same token").isEqualTo(mine);
    }

    @Test
    void aRequestWithTheTokenIsCarriedOutAndRecorded() throws Exception {
        HttpResponse<String> accepted = post("unplug.json", token(browser), "device=one");

        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(asked).containsExactly("unplug one");
        assertThat(state("").get("timeline").toString()).contains("ASKED", "unplug one");

        outcome.completeExceptionally(new RdmaException(RdmaError.NO_DEVICE, "its cable is out"));
        assertThat(state("").get("timeline").toString()).contains("FAILED", "unplug one: its cable is out");
    }

    @Test
    void whatCannotBeDoneIsSaid() throws Exception {
        String token = token(browser);

        assertThat(post("unplug.json", token, "").statusCode()).isEqualTo(400);
        HttpResponse<String> refused = post("plug.json", token, "device=nosuch");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("there is no device nosuch");
        assertThat(post("format.json", token, "device=one").statusCode()).isEqualTo(404);
        assertThat(asked).isEmpty();
    }

    @Test
    void nothingIsChangedByAGet() throws Exception {
        String token = token(browser);
        HttpRequest.Builder request = request("unplug.json?device=one").header("X-Verbena-Token", token);

        assertThat(browser.send(request.GET().build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(404);
        assertThat(browser.send(
                                request.method("PUT", HttpRequest.BodyPublishers.ofString("device=one"))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(405);
        assertThat(asked).isEmpty();
    }

    @Test
    void whatOthersHaveNamedIsNeverMarkup() throws Exception {
        devices.add(Snapshots.device(SCRIPT, "10.0.0.2"));
        ids.add(new IdSnapshot(1, "IDLE", false, false, "TCP", SCRIPT, "", "", SCRIPT, 0, ""));
        String token = token(browser);

        HttpResponse<String> state = get("state.json?table=ids");
        assertThat(state.headers().firstValue("Content-Type")).hasValue("application/json;charset=utf-8");
        assertThat(state.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(state.body()).doesNotContain("<").contains("\\u003cscript");
        String name = URLEncoder.encode(SCRIPT, UTF_8);
        for (HttpResponse<String> refused : List.of(
                post("plug.json", token, "device=" + name), get(name + ".json"), get("state.json?since=" + name))) {
            assertThat(refused.statusCode()).isGreaterThanOrEqualTo(400);
            assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/json;charset=utf-8");
            assertThat(refused.body()).doesNotContain("<");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"page.htm", "main.js", "page.css", "state.json", "nosuch.js"})
    void nothingButItsOwnScriptsMayRunInThePage(String name) throws Exception {
        Map<String, List<String>> headers = get(name).headers().map();

        assertThat(headers.get("content-security-policy").get(0))
                .contains("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'")
                .doesNotContain("unsafe");
        assertThat(headers.get("x-frame-options")).containsExactly("SAMEORIGIN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ConsoleServlet.class", "..%2fservlet%2fConsoleServlet.class", "page/../../x.js", "%2e%2e/a.htm"
            })
    void onlyTheFilesOfThePageAreToBeHad(String name) throws Exception {
        assertThat(get(name).statusCode()).isGreaterThanOrEqualTo(400);
    }

    @Test
    void aFileThatTheBrowserHasIsNotSentAgain() throws Exception {
        String tag = get("main.js").headers().firstValue("ETag").orElseThrow();

        assertThat(browser.send(request("main.js").header("If-None-Match", tag).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    void tenThousandIdsAreAPageAtATime() throws Exception {
        LongStream.rangeClosed(1, 10_000).forEach(number -> ids.add(Snapshots.id(number, "one", "")));

        HttpResponse<String> answer = get("state.json?table=ids&sort=number&descending=true&offset=0&limit=25");

        JsonObject page = JsonParser.parseString(answer.body())
                .getAsJsonObject()
                .getAsJsonObject("now")
                .getAsJsonObject("page");
        assertThat(page.get("total").getAsInt()).isEqualTo(10_000);
        assertThat(page.getAsJsonArray("rows")).hasSize(25);
        assertThat(page.getAsJsonArray("rows")
                        .get(0)
                        .getAsJsonObject()
                        .get("number")
                        .getAsLong())
                .isEqualTo(10_000);
        assertThat(answer.body().length()).isLessThan(20_000);
        for (String tooMuch : List.of("limit=201", "limit=-1", "offset=-1", "limit=many", "table=users")) {
            assertThat(get("state.json?" + tooMuch).statusCode()).as(tooMuch).isEqualTo(400);
        }
    }

    @Test
    void toLogOutIsForHostsWhoseLoginTheSessionIs() throws Exception {
        assertThat(post("logout.json", token(browser), "").statusCode()).isEqualTo(409);

        sessionIsLogin = true;
        String before = token(browser);
        assertThat(post("logout.json", before, "").statusCode()).isEqualTo(200);
        assertThat(token(browser)).isNotEqualTo(before);
    }

    @Test
    void theAddressOfThePluginLeadsToThePage() throws Exception {
        HttpResponse<String> redirected = get("verbena");

        assertThat(redirected.statusCode()).isEqualTo(302);
        assertThat(redirected.headers().firstValue("Location").orElseThrow()).endsWith("/page.htm");
    }
}
