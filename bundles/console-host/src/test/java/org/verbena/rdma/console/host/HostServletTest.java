package org.verbena.rdma.console.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.osgi.framework.BundleContext;

/** The servlet in a real server, in front of a page that answers everything. */
class HostServletTest {
    private static final String PASSWORD = "only for this test";
    private static final String RIGHT = "password=only+for+this+test";

    static {
        // The client of the JDK would not let us say where we think we are.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private final HostServlet servlet = new HostServlet(context(PASSWORD));
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final CookieManager cookies = new CookieManager();
    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(cookies).build();

    private static BundleContext context(String password) {
        return (BundleContext) Proxy.newProxyInstance(
                HostServletTest.class.getClassLoader(),
                new Class<?>[] {BundleContext.class},
                (proxy, method, arguments) -> password);
    }

    /** What is behind the login. */
    private final class Page extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            asked.add(request.getMethod() + " " + request.getPathInfo() + " "
                    + request.getAttribute("org.verbena.rdma.console.sessionIsLogin"));
            response.getWriter().print("the page");
        }
    }

    @BeforeEach
    void start() throws Exception {
        setPage(new Page());
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.addServlet(new ServletHolder(servlet), "/*");
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private void setPage(HttpServlet page) throws Exception {
        Field field = HostServlet.class.getDeclaredField("page");
        field.setAccessible(true);
        field.set(servlet, page);
    }

    private String here() {
        return "127.0.0.1:" + connector.getLocalPort();
    }

    private HttpRequest.Builder request(String name) {
        return HttpRequest.newBuilder(URI.create("http://" + here() + "/" + name));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder form(String body) {
        return request("login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private String session() {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals("JSESSIONID"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"page.htm", "state.json", "unplug.json", "", "login/../page.htm", "x"})
    void withoutTheLoginNothingReachesThePage(String name) throws Exception {
        int expected = name.endsWith(".json") ? 401 : 303;

        assertThat(send(request(name).GET()).statusCode()).isEqualTo(expected);
        assertThat(send(request(name).POST(HttpRequest.BodyPublishers.ofString("device=one")))
                        .statusCode())
                .isEqualTo(expected);
        assertThat(asked).isEmpty();
    }

    @Test
    void whoKnowsThePasswordGetsInUnderANewSession() throws Exception {
        HttpResponse<String> answer = send(form(RIGHT));
        assertThat(answer.statusCode()).isEqualTo(303);
        assertThat(answer.headers().firstValue("Location")).hasValue("/page.htm");
        String first = session();

        assertThat(send(request("page.htm").GET()).body()).isEqualTo("the page");
        assertThat(asked).containsExactly("GET /page.htm true");

        send(form(RIGHT));
        assertThat(session())
                .as("a session that somebody may have planted is none")
                .isNotEqualTo(first);
        cookies.getCookieStore().removeAll();
        assertThat(send(request("page.htm")
                                .header("Cookie", "JSESSIONID=" + first)
                                .GET())
                        .statusCode())
                .isEqualTo(303);
    }

    @ParameterizedTest
    @ValueSource(strings = {"password=", "password=ONLY+for+this+test", "password=%3Cscript%3E", "user=x", ""})
    void whoDoesNotIsNotTold(String body) throws Exception {
        HttpResponse<String> answer = send(form(body));

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("That is not the password.").doesNotContain("<script", PASSWORD);
        assertThat(send(request("page.htm").GET()).statusCode()).isEqualTo(303);
    }

    @Test
    void whoGuessesTooOftenWaitsEvenWithTheRightPassword() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(send(form("password=guess" + i)).statusCode()).isEqualTo(403);
        }
        assertThat(send(form(RIGHT)).statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.org", "127.0.0.1.example.org", "10.0.0.1", "localhost.example.org:80", "[::2]"})
    void aNameThatIsNotOursIsRefusedBeforeTheLogin(String host) throws Exception {
        send(form(RIGHT));

        assertThat(send(request("page.htm").header("Host", host).GET()).statusCode())
                .isEqualTo(421);
        assertThat(send(form(RIGHT).header("Host", host)).statusCode()).isEqualTo(421);
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://example.org", "null", "https://127.0.0.1", "http://127.0.0.1"})
    void anotherSitesPageIsRefused(String origin) throws Exception {
        send(form(RIGHT));

        assertThat(send(request("unplug.json")
                                .header("Origin", origin)
                                .POST(HttpRequest.BodyPublishers.ofString("device=one")))
                        .statusCode())
                .isEqualTo(421);
        assertThat(asked).isEmpty();
        assertThat(send(request("page.htm").header("Origin", "http://" + here()).GET())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whereThereIsNoPageThatIsSaid() throws Exception {
        send(form(RIGHT));
        setPage(null);

        HttpResponse<String> answer = send(request("page.htm").GET());

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("core is not running");
    }

    @Test
    void theFormIsSentWithoutScripts() throws Exception {
        HttpResponse<String> answer = send(request("login").GET());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.body()).doesNotContain("<script", "style=");
    }

    @Test
    void withoutAPasswordNothingIsServed() {
        for (String none : new String[] {null, "", "short"}) {
            assertThatThrownBy(() -> new HostServlet(context(none))).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
