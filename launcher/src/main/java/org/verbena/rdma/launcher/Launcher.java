package org.verbena.rdma.launcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line {@code verbena}: starts the platform, runs what is asked for, and stops it. */
@Command(
        name = "verbena",
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "Usage:%n",
        customSynopsis = {
            "  verbena [OPTIONS]                        the shell",
            "  verbena [OPTIONS] COMMAND [ARGUMENT...]  one command, with its exit status",
        },
        description = {
            "%nRuns Verbena, RDMA devices that come and go, in an OSGi framework of its own.%n",
            "Commands, each of which explains itself with --help; in the shell they are the same:",
            "  demo       the main job: pings, the device pulled under traffic and put back",
            "  rping      pings over RDMA, as server or client",
            "  perf       measures latency and bandwidth",
            "  devices    lists the devices; ids, listeners, connections, stats likewise",
            "  unplug     takes a device out; plug puts it back",
            "  trace      shows what happens, as it happens",
            "  doctor     says what is wrong on this machine, and what to do%n",
        },
        footer = {
            "%nEnvironment:",
            "  JAVA_HOME           the JDK to run on, 17 or newer",
            "  VERBENA_SCRIPT      a file with commands to run, line by line, and no shell;",
            "                      ends with the status of the last one that has failed",
            "  VERBENA_CONSOLE_PASSWORD",
            "                      the password of the web page; a new one each time if it is not set",
            "  VERBENA_NO_BUILD=1  in a checkout: run what is built, whatever has changed",
            "  VERBENA_JAVA_OPTIONS",
            "                      more options for the JVM",
        })
final class Launcher implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration DEVICE_TIMEOUT = Duration.ofSeconds(10);

    private final Distribution distribution;
    private final String script;

    @Option(
            names = "--device",
            paramLabel = "PROVIDER:NAME=ADDRESS[,ADDRESS...]",
            converter = ConfiguredDevice.Converter.class,
            description = "A device to make, as iwarp:eth0=10.0.0.1, or loopback:a=198.18.0.1 within this JVM; may be"
                    + " given again. While none is given there is an iWARP device on the loopback interface.")
    private List<ConfiguredDevice> devices = new ArrayList<>();

    @Option(
            names = "--console",
            arity = "0..1",
            paramLabel = "PORT",
            parameterConsumer = Console.PortConsumer.class,
            description = "Show a web page of all this on the loopback interface, at this port (default: "
                    + Console.DEFAULT_PORT + "; 0: any). Its address and its password are printed.")
    private Integer consolePort;

    @Option(
            names = {"-d", "--verbose"},
            description = "Log more on standard error; twice: each step.")
    private boolean[] verbose = {};

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    private boolean help;

    @Parameters(paramLabel = "COMMAND", hidden = true)
    private List<String> words = new ArrayList<>();

    Launcher(Distribution distribution, String script) {
        this.distribution = distribution;
        this.script = script;
    }

    public static void main(String[] arguments) {
        Distribution distribution = new Distribution(Path.of(System.getProperty("verbena.home", ".")));
        Launcher launcher = new Launcher(distribution, System.getenv("VERBENA_SCRIPT"));
        // Threads of a consumer that do not end must not keep the process.
        System.exit(commandLine(launcher).execute(arguments));
    }

    static CommandLine commandLine(Launcher launcher) {
        return new CommandLine(launcher)
                .setStopAtPositional(true)
                .setParameterExceptionHandler((misuse, arguments) -> {
                    System.err.println("verbena: " + misuse.getMessage() + "; verbena --help tells what there is");
                    return MISUSED;
                })
                .setExecutionExceptionHandler((failure, commandLine, parsed) -> {
                    System.err.println("verbena: " + failure.getMessage());
                    return FAILED;
                });
    }

    @Override
    public Integer call() throws Exception {
        boolean scripted = script != null && !script.isEmpty() && words.isEmpty();
        boolean interactive = words.isEmpty() && !scripted;
        logLevel().apply();
        // Without a terminal JLine is content with none; it need not warn of it.
        System.setProperty("org.jline.terminal.dumb", "true");
        Console console = consolePort == null ? null : Console.of(consolePort, System.getenv(Console.PASSWORD));
        Platform platform = new Platform(properties(interactive, console));
        Thread hook = new Thread(platform::close, "verbena: stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            start(platform);
            if (console != null) {
                platform.start(distribution.console());
                console.announce(platform);
            }
            if (!words.isEmpty()) {
                return command(platform);
            }
            platform.start(distribution.interactive());
            if (scripted) {
                return platform.run("script", List.of(script));
            }
            platform.awaitStop();
            return 0;
        } finally {
            if (isRemoved(hook)) {
                platform.close();
            }
        }
    }

    private void start(Platform platform) throws LaunchException {
        platform.start(distribution.platform());
        for (ConfiguredDevice device : devices) {
            platform.configure(device);
        }
        platform.start(distribution.verbena());
        awaitDevices(platform);
    }

    private static boolean isRemoved(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down: it stops the platform, and waits for that.
            return false;
        }
    }

    private LogLevel logLevel() {
        return switch (verbose.length) {
            case 0 -> words.isEmpty() ? LogLevel.DEVICES : LogLevel.WARNINGS;
            case 1 -> LogLevel.VERBOSE;
            default -> LogLevel.DEBUG;
        };
    }

    private Map<String, String> properties(boolean interactive, Console console) {
        Map<String, String> properties = new HashMap<>();
        // Where Felix' shell looks for etc/gosh_profile.
        properties.put("gosh.home", distribution.home().toString());
        if (!interactive) {
            properties.put("gosh.args", "--nointeractive --noshutdown");
        }
        if (console != null) {
            properties.putAll(console.properties());
        }
        return properties;
    }

    private int command(Platform platform) throws LaunchException {
        String command = words.get(0);
        if (!command.matches("[a-z][a-z0-9-]*")
                || !platform.await(
                        "(&(osgi.command.scope=rdma)(osgi.command.function=" + command + "))", COMMAND_TIMEOUT)) {
            System.err.println("verbena: there is no command '" + command + "'; verbena --help tells what there is");
            return MISUSED;
        }
        return platform.run("command", words);
    }

    /** Devices come on threads of their own; what is run next wants to find them. */
    private void awaitDevices(Platform platform) throws LaunchException {
        if (devices.isEmpty()) {
            platform.await(device("(rdma.provider=iwarp)"), DEVICE_TIMEOUT);
        }
        for (ConfiguredDevice device : devices) {
            if (!platform.await(device("(rdma.name=" + escaped(device.name()) + ")"), DEVICE_TIMEOUT)) {
                System.err.println("verbena: device " + device.name() + " has not come up; the log may tell why");
            }
        }
    }

    /** As a filter takes it (OSGi Core, 3.2.7). */
    private static String escaped(String value) {
        return value.replaceAll("[\\\\*()]", "\\\\$0");
    }

    private static String device(String filter) {
        return "(&(objectClass=org.verbena.rdma.RdmaDevice)" + filter + ")";
    }
}
