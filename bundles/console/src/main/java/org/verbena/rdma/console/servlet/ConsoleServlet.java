package org.verbena.rdma.console.servlet;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.security.Principal;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.console.timeline.Entry;
import org.verbena.rdma.console.timeline.Timeline;
import org.verbena.rdma.console.view.Overview;
import org.verbena.rdma.console.view.Query;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;

/**
 * The page: a plugin of the Felix Web Console, which sees to the login. It needs no initialization, so that other hosts
 * can call it too; every host must let through only who is logged in.
 *
 * <p>All of its files and answers have a name with a dot in it, which the Web Console hands on as they are; only the
 * plugin's own address is dressed in the Web Console's frame, and shows the page in an inner frame: the Web Console's
 * scripts in its own HTML would not run under the policy that our page is sent with.
 */
@Component(
        service = Servlet.class,
        property = {
            "felix.webconsole.label=" + ConsoleServlet.LABEL,
            "felix.webconsole.title=RDMA devices",
            "felix.webconsole.category=Verbena"
        })
public final class ConsoleServlet extends HttpServlet {
    /** The last word of the plugin's address in the Web Console. */
    public static final String LABEL = "verbena";

    /** A request attribute of hosts where who has a session is logged in: to end the session is to log out. */
    public static final String SESSION_IS_LOGIN = "org.verbena.rdma.console.sessionIsLogin";

    /** A request attribute of the Web Console: its address. */
    private static final String WEB_CONSOLE = "felix.webconsole.appRoot";

    private static final Logger LOGGER = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final long serialVersionUID = 1L;

    /** Nothing but our own files, no script or style in HTML, no HTML from text; not in another site's frame. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final transient Gson gson =
            new GsonBuilder().serializeSpecialFloatingPointValues().create();
    private final transient ForgeryToken token = new ForgeryToken();
    /** Tells the page when all sequences have begun anew. */
    private final String instance = UUID.randomUUID().toString();

    private final transient Timeline timeline = new Timeline(Clock.systemUTC());
    private final transient Map<String, PageFile> files = PageFile.all();
    private final transient Monitor monitor;
    private final transient Monitor.Registration registration;

    /** Begins to record what happens. */
    @Activate
    public ConsoleServlet(@Reference Monitor monitor) {
        this.monitor = monitor;
        registration = monitor.addListener(timeline);
        timeline.know(monitor.snapshot().devices().stream()
                .filter(device -> device.condition() == Condition.PRESENT)
                .map(DeviceSnapshot::number)
                .toList());
    }

    @Deactivate
    void deactivate() {
        registration.close();
    }

    /** What the page needs to know once. */
    private record Session(String token, String user, boolean logout) {}

    /** What the page asks for again and again. */
    private record State(String instance, Overview now, List<Entry> timeline) {}

    /** Why a request was not carried out. */
    private record Refusal(String error) {}

    /** That a request is being carried out. */
    private record Acceptance(String accepted) {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = name(request);
        if (!name.contains(".")) {
            sendEntrance(request, response);
            return;
        }
        protect(response);
        PageFile file = files.get(name);
        if (file != null) {
            file.sendTo(request, response);
        } else if (name.equals("session.json")) {
            send(response, HttpServletResponse.SC_OK, session(request));
        } else if (name.equals("state.json")) {
            sendState(request, response);
        } else {
            refuse(response, HttpServletResponse.SC_NOT_FOUND, "there is no " + name + " here");
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        protect(response);
        if (!token.isIn(request)) {
            refuse(
                    response,
                    HttpServletResponse.SC_FORBIDDEN,
                    "the request does not have the token of this login: load the page again");
            return;
        }
        switch (name(request)) {
            case "unplug.json" -> operate("unplug", monitor::unplug, request, response);
            case "plug.json" -> operate("plug", monitor::plug, request, response);
            case "logout.json" -> logOut(request, response);
            default -> refuse(response, HttpServletResponse.SC_NOT_FOUND, "there is nothing to do at " + name(request));
        }
    }

    // What is asked for

    /** What to do with a device. */
    private interface Operation {
        CompletionStage<Void> begin(String device) throws RdmaException;
    }

    private void operate(String verb, Operation operation, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String device = request.getParameter("device");
        if (device == null) {
            refuse(response, HttpServletResponse.SC_BAD_REQUEST, "the parameter 'device' is missing");
            return;
        }
        String who = user(request);
        String what = verb + " " + device + (who == null ? "" : ", asked for by " + who);
        try {
            timeline.asked(what);
            operation.begin(device).whenComplete((nothing, failure) -> {
                if (failure != null) {
                    // What core hands out are copies of a stage, which wrap what has failed.
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    timeline.failed(verb + " " + device + ": " + cause.getMessage());
                }
            });
        } catch (RdmaException e) {
            timeline.failed(verb + " " + device + ": " + e.getMessage());
            refuse(response, HttpServletResponse.SC_CONFLICT, e.getMessage());
            return;
        }
        LOGGER.info("web console: {}", what);
        send(response, HttpServletResponse.SC_ACCEPTED, new Acceptance(what));
    }

    private void logOut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getAttribute(SESSION_IS_LOGIN) == null) {
            refuse(response, HttpServletResponse.SC_CONFLICT, "the login is not this page's: close the browser");
            return;
        }
        request.getSession().invalidate();
        send(response, HttpServletResponse.SC_OK, new Acceptance("log out"));
    }

    private Session session(HttpServletRequest request) {
        return new Session(
                token.of(request.getSession()), user(request), request.getAttribute(SESSION_IS_LOGIN) != null);
    }

    private static String user(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? request.getRemoteUser() : principal.getName();
    }

    private void sendState(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Query query;
        long since;
        try {
            query = query(request);
            since = number(request, "since");
        } catch (IllegalArgumentException e) {
            refuse(response, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
            return;
        }
        // The timeline first: what happens meanwhile is in the next answer again, never in none.
        List<Entry> entries = timeline.since(since);
        send(response, HttpServletResponse.SC_OK, new State(instance, Overview.of(monitor.snapshot(), query), entries));
    }

    private static Query query(HttpServletRequest request) {
        return new Query(
                Query.Table.valueOf(text(request, "table", "connections").toUpperCase(Locale.ROOT)),
                text(request, "filter", ""),
                text(request, "sort", ""),
                Boolean.parseBoolean(request.getParameter("descending")),
                (int) Math.min(number(request, "offset"), Integer.MAX_VALUE),
                (int) Math.min(number(request, "limit"), Integer.MAX_VALUE));
    }

    private static String text(HttpServletRequest request, String parameter, String otherwise) {
        String value = request.getParameter(parameter);
        return value == null ? otherwise : value;
    }

    private static long number(HttpServletRequest request, String parameter) {
        String value = text(request, parameter, "0");
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the parameter '" + parameter + "' is no number", e);
        }
    }

    // Answers

    /** The last word of the address; empty or our label for the address of the plugin itself. */
    private static String name(HttpServletRequest request) {
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void sendEntrance(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getAttribute(WEB_CONSOLE) == null) {
            response.sendRedirect("page.htm");
            return;
        }
        response.getWriter()
                .print("<iframe src=\"" + LABEL + "/page.htm\" title=\"RDMA devices\""
                        + " style=\"width: 100%; height: calc(100vh - 10em); min-height: 30em; border: 0\"></iframe>");
    }

    private static void protect(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "SAMEORIGIN");
    }

    private void refuse(HttpServletResponse response, int status, String sentence) throws IOException {
        send(response, status, new Refusal(sentence));
    }

    private void send(HttpServletResponse response, int status, Object answer) throws IOException {
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-store");
        response.setContentType("application/json");
        response.setCharacterEncoding("UTF-8");
        gson.toJson(answer, response.getWriter());
    }
}
