package org.verbena.rdma.rping.karaf;

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
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.rping.Rping;
import org.verbena.rdma.rping.command.PerfCommand;
import org.verbena.rdma.rping.command.RpingCommand;

class ActionsTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream console = new PrintStream(printed, true, UTF_8);
    private final Session session = proxy(Session.class, console);
    private final List<List<String>> asked = new ArrayList<>();

    /** Answers every call with one thing. */
    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                ActionsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> answer));
    }

    private void run(Rping rping, Object... fields) throws Exception {
        RpingAction action = new RpingAction();
        action.wire(session);
        set(action, "rping", rping);
        for (int i = 0; i < fields.length; i += 2) {
            set(action, (String) fields[i], fields[i + 1]);
        }
        assertThat(action.execute()).isNull();
    }

    private static void set(Object action, String name, Object value) throws Exception {
        Field field = action.getClass().getDeclaredField(name);
        field.setAccessible(true);
        field.set(action, value);
    }

    @Test
    void optionsAreHandedOverAndWhatIsSaidIsPrinted() throws Exception {
        run(
                (arguments, out, err) -> {
                    asked.add(List.copyOf(arguments));
                    out.println("out");
                    err.println("err");
                    return 0;
                },
                "client",
                true,
                "address",
                "10.0.0.1",
                "count",
                3,
                "verify",
                true);

        assertThat(asked).containsExactly(List.of("--client", "--address=10.0.0.1", "--count=3", "--verify"));
        assertThat(printed.toString(UTF_8)).isEqualToNormalizingNewlines("out\nerr\n");
    }

    @Test
    void whatFailsIsThrownAsKarafPrintsIt() {
        assertThatThrownBy(() -> run((arguments, out, err) -> 2))
                .isInstanceOf(CommandException.class)
                .hasMessage("exit status 2");
    }

    @Test
    void toBeInterruptedIsNoFailure() throws Exception {
        run((arguments, out, err) -> {
            throw new InterruptedException();
        });
    }

    @Test
    void eachOptionOfTheProgramsIsOneInKaraf() throws Exception {
        new RpingCommand(null).run(List.of("--help"), console, console);
        assertThat(optionsOf(RpingAction.class)).containsExactlyInAnyOrderElementsOf(optionsInHelp());
        printed.reset();
        new PerfCommand(null).run(List.of("--help"), console, console);
        assertThat(optionsOf(PerfAction.class)).containsExactlyInAnyOrderElementsOf(optionsInHelp());
    }

    private static List<String> optionsOf(Class<?> action) {
        return Stream.of(action.getDeclaredFields())
                .map(field -> field.getAnnotation(Option.class))
                .filter(option -> option != null)
                .map(option -> option.name() + ", " + option.aliases()[0])
                .toList();
    }

    /** As the help begins its lines with them; its own option is Karaf's in Karaf. */
    private List<String> optionsInHelp() {
        return printed.toString(UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("-., --.*") && !line.startsWith("-h"))
                .map(line -> line.replaceFirst("[= ]*$", "").replaceFirst("(-., --[a-z-]+).*", "$1"))
                .toList();
    }

    @Test
    void addressesAreCompleted() {
        DeviceSnapshot device = new DeviceSnapshot(
                1,
                "lo",
                "iwarp",
                "iwarp",
                "",
                List.of("127.0.0.1", "10.0.0.1"),
                List.of(),
                "up",
                Condition.PRESENT,
                "",
                0,
                Map.of(),
                Map.of());
        DeviceAddresses completer = new DeviceAddresses();
        completer.wire(proxy(
                Monitor.class,
                new Snapshot(Instant.EPOCH, List.of(device), List.of(), List.of(), List.of(), List.of(), List.of())));
        List<String> candidates = new ArrayList<>();

        completer.complete(
                session,
                (CommandLine) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {CommandLine.class},
                        (proxy, method, arguments) -> method.getReturnType() == int.class ? (Object) 0 : ""),
                candidates);

        assertThat(candidates.stream().map(String::strip)).containsExactlyInAnyOrder("127.0.0.1", "10.0.0.1");
    }
}
