package org.verbena.rdma.shell.karaf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;

class ActionsTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream console = new PrintStream(printed, true, UTF_8);
    private final Session session = (Session) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Session.class},
            (proxy, method, arguments) -> method.getName().equals("getConsole") ? console : null);
    private final Monitor monitor = (Monitor) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Monitor.class},
            (proxy, method, arguments) -> answer(method.getName(), arguments));

    private static Object answer(String method, Object[] arguments) throws RdmaException {
        if (method.equals("addListener")) {
            return (Monitor.Registration) () -> {};
        }
        if (method.equals("snapshot")) {
            return new Snapshot(
                    Instant.EPOCH,
                    List.of(device("lo", Condition.PRESENT), device("eth0", Condition.UNPLUGGED)),
                    List.of(new IdSnapshot(17, "IDLE", false, false, "TCP", "lo", "", "", "a.b", 0, "")),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of());
        }
        if (!arguments[0].equals("eth0")) {
            throw new RdmaException(RdmaError.NOT_FOUND, "there is no device " + arguments[0]);
        }
        return CompletableFuture.completedFuture(null);
    }

    private static DeviceSnapshot device(String name, Condition condition) {
        return new DeviceSnapshot(
                1, name, "iwarp", "iwarp", "", List.of(), List.of(), "up", condition, "", 0, Map.of(), Map.of());
    }

    private String run(MonitorAction action, Object... fields) throws Exception {
        action.wire(session, monitor);
        for (int i = 0; i < fields.length; i += 2) {
            Field field = action.getClass().getDeclaredField((String) fields[i]);
            field.setAccessible(true);
            field.set(action, fields[i + 1]);
        }
        assertThat(action.execute()).isNull();
        return printed.toString(UTF_8);
    }

    private List<String> completions(Candidates completer) {
        completer.wire(monitor);
        List<String> candidates = new ArrayList<>();
        completer.complete(
                session,
                (CommandLine) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {CommandLine.class},
                        (proxy, method, arguments) -> method.getReturnType() == int.class ? (Object) 0 : ""),
                candidates);
        return candidates.stream().map(String::strip).toList();
    }

    @Test
    void karafShowsWhatTheShellShows() throws Exception {
        assertThat(run(new DevicesAction())).startsWith("NAME  PROVIDER").contains("eth0  iwarp");
    }

    @Test
    void optionsAndArgumentsAreHandedOver() throws Exception {
        assertThat(run(new DevicesAction(), "name", "lo", "json", true)).contains("\"name\": \"lo\"");
        assertThat(run(new StatsAction(), "byConnection", true, "all", true)).endsWith("nothing is counted\n");
        assertThat(run(new PlugAction(), "name", "eth0")).contains("device eth0 serves again");
    }

    @Test
    void whatGoesWrongIsASentence() {
        assertThatThrownBy(() -> run(new UnplugAction(), "name", "nosuch"))
                .hasMessage("unplug: there is no device nosuch");
        assertThatThrownBy(() -> run(new TraceAction(), "id", 4L))
                .hasMessage("trace: there is no id 4; rdma:ids lists those there are");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                DevicesAction.class,
                IdsAction.class,
                ListenersAction.class,
                ConnectionsAction.class,
                StatsAction.class,
                UnplugAction.class,
                PlugAction.class,
                TraceAction.class,
                DoctorAction.class
            })
    void eachIsNamedAsInTheShell(Class<?> action) throws Exception {
        Command command = action.getAnnotation(Command.class);
        assertThat(command.scope()).isEqualTo("rdma");
        assertThat(action.getSimpleName().toLowerCase(java.util.Locale.ROOT)).isEqualTo(command.name() + "action");
        assertThat(action.getDeclaredConstructor().newInstance()).isInstanceOf(MonitorAction.class);
    }

    @Test
    void namesAreCompleted() {
        assertThat(completions(new DeviceNames())).containsExactlyInAnyOrder("lo", "eth0");
        assertThat(completions(new PresentDeviceNames())).containsExactly("lo");
        assertThat(completions(new AbsentDeviceNames())).containsExactly("eth0");
        assertThat(completions(new IdNumbers())).containsExactly("17");
    }
}
