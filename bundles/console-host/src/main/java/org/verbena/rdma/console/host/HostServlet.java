package org.verbena.rdma.console.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the page where there is no web console, by an OSGi HTTP Whiteboard, to who knows the password: the framework
 * property {@code verbena.console.password}, without which nothing is served. The Whiteboard is to listen on the loopback
 * interface only.
 */
@Component(
        service = Servlet.class,
        property = {"osgi.http.whiteboard.servlet.pattern=/*", "osgi.http.whiteboard.servlet.name=verbena"})
public final class HostServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOGGER = LoggerFactory.getLogger(HostServlet.class);

    /** As the page knows it. */
    private static final String SESSION_IS_LOGIN = "org.verbena.rdma.console.sessionIsLogin";

    private static final String LOGGED_IN = HostServlet.class.getName();
    private static final int SESSION_SECONDS = 30 * 60;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int MISDIRECTED = 421;

    private static final String POLICY =
            "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self';" + " frame-ancestors 'none'";

    /** Names under which nobody else can reach us: a name that leads here for once may be an attacker's. */
    private static final Set<String> HERE = Set.of("127.0.0.1", "localhost", "[::1]");

    private final transient Password password;
    private final transient String form;
    private final transient String style;

    /** The page; there is none while core is not running. */
    @Reference(
            target = "(felix.webconsole.label=verbena)",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private transient volatile Servlet page;

    /** Begins to serve. */
    @Activate
    public HostServlet(BundleContext context) {
        password = new Password(context.getProperty("verbena.console.password"), System::nanoTime);
        form = read("login.htm");
        style = read("login.css");
    }

    private static String read(String name) {
        try (InputStream stream = HostServlet.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + name + " cannot be read", e);
        }
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (!isForUs(request)) {
            refuse(response, MISDIRECTED, "this address does not lead here");
            return;
        }
        String path = request.getPathInfo();
        if ("/login".equals(path) && request.getMethod().equals("POST")) {
            logIn(request, response);
        } else if ("/login".equals(path)) {
            sendForm(response, HttpServletResponse.SC_OK, "");
        } else if ("/login.css".equals(path)) {
            send(response, HttpServletResponse.SC_OK, "text/css", style);
        } else if (isLoggedIn(request)) {
            sendPage(request, response);
        } else if (path != null && path.endsWith(".json")) {
            refuse(response, HttpServletResponse.SC_UNAUTHORIZED, "log in first");
        } else {
            redirect(response, "/login");
        }
    }

    /** Tells whether a request has our name on it, and does not come from another site's page. */
    private static boolean isForUs(HttpServletRequest request) {
        String host = request.getHeader("Host");
        if (host == null || !HERE.contains(host.replaceFirst(":[0-9]+$", ""))) {
            return false;
        }
        String origin = request.getHeader("Origin");
        return origin == null || origin.equals("http://" + host);
    }

    private static boolean isLoggedIn(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(LOGGED_IN) != null;
    }

    private void logIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (password.guess(request.getParameter("password"))) {
            case RIGHT -> {
                HttpSession before = request.getSession(false);
                if (before != null) {
                    before.invalidate();
                }
                HttpSession session = request.getSession(true);
                session.setMaxInactiveInterval(SESSION_SECONDS);
                session.setAttribute(LOGGED_IN, true);
                redirect(response, "/page.htm");
            }
            case WRONG -> {
                LOGGER.warn("web console: a wrong password from {}", request.getRemoteAddr());
                sendForm(response, HttpServletResponse.SC_FORBIDDEN, "That is not the password.");
            }
            case TOO_MANY ->
                sendForm(response, TOO_MANY_REQUESTS, "There were too many wrong passwords. Try again in a minute.");
        }
    }

    private void sendPage(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Servlet present = page;
        if (present == null) {
            refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "Verbena's core is not running");
            return;
        }
        request.setAttribute(SESSION_IS_LOGIN, true);
        present.service(request, response);
    }

    private void sendForm(HttpServletResponse response, int status, String message) throws IOException {
        send(response, status, "text/html", form.replace("MESSAGE", message));
    }

    private static void refuse(HttpServletResponse response, int status, String sentence) throws IOException {
        send(response, status, "application/json", "{\"error\":\"" + sentence + "\"}");
    }

    private static void redirect(HttpServletResponse response, String where) {
        protect(response);
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", where);
    }

    private static void send(HttpServletResponse response, int status, String type, String content) throws IOException {
        protect(response);
        response.setStatus(status);
        response.setContentType(type);
        response.setCharacterEncoding("UTF-8");
        response.getWriter().print(content);
    }

    private static void protect(HttpServletResponse response) {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        // Not no-referrer: with it, the form would not say where it comes from.
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
    }
}
