// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.service.event.EventConstants;
import org.osgi.service.event.EventHandler;
import org.verbena.rdma.itests.fixture.Gogo;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Reflected;
import org.verbena.rdma.monitor.DeviceSnapshot;

/** What a person on call sees, in the shell, by JMX, by health checks and in metrics. */
public class OperationsIT extends DeviceTestBase {
    private static final String HELD_UP = "peer";

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), shell(), operations(), health(), metrics(), peer("peer")};
    }

    /** A device whose removal a callback of the peer's holds up until the latch is released. */
    private CompletableFuture<Void> holdUpRemoval(CountDownLatch release) throws Exception {
        setDeadline(Duration.ofMinutes(5));
        loopback.plug("siw0", "198.18.0.1");
        start("peer");
        Peer peer = new Peer(context, "peer");
        CountDownLatch entered = latch();
        peer.inCallback("DEVICE_REMOVAL", () -> {
            entered.countDown();
            await(release);
        });
        peer.listen("198.18.0.1");
        CompletableFuture<Void> pulled = loopback.faults().pullOut("siw0").toCompletableFuture();
        await(entered);
        eventually().until(() -> snapshot().removals().stream()
                .flatMap(removal -> removal.waitingFor().stream())
                .anyMatch(holder -> holder.contains(HELD_UP)));
        return pulled;
    }

    @Test
    public void eachTellsWhichBundleHoldsUpARemoval() throws Exception {
        int port = metricsPort();
        CountDownLatch release = latch();
        CompletableFuture<Void> pulled = holdUpRemoval(release);

        Gogo gogo = new Gogo(context);
        assertThat(gogo.run("rdma:devices siw0"))
                .containsPattern("removal +waiting for consumers")
                .containsPattern("held up by +.*" + HELD_UP);
        assertThat(gogo.run("rdma:devices")).contains("waiting for consumers").contains(HELD_UP);
        assertThat(gogo.run("rdma:doctor")).containsPattern("The removal of siw0 is held up by .*" + HELD_UP);
        assertThat(waitingFor("siw0")).anyMatch(holder -> holder.contains(HELD_UP));
        assertThat(health("RDMA devices")).containsPattern("siw0 is held up by .*" + HELD_UP);
        assertThat(scrape(port))
                .anyMatch(line -> line.startsWith("verbena_removal_held_up{device=\"siw0\"") && line.contains(HELD_UP));

        release.countDown();
        pulled.join();
        eventually().until(() -> scrape(port).stream().noneMatch(line -> line.startsWith("verbena_removal_held_up")));
    }

    @Test
    public void aCallbackThatBlocksIsFoundByHealthAndDoctor() throws Exception {
        CountDownLatch release = latch();
        CompletableFuture<Void> pulled = holdUpRemoval(release);

        eventually().until(() -> health("RDMA consumers").contains("Callbacks of bundle peer block thread"));
        assertThat(new Gogo(context).run("rdma:doctor")).contains("Callbacks of bundle peer block thread");

        release.countDown();
        pulled.join();
    }

    @Test
    public void devicesAreUnpluggedByJmxAndToldByEventAdmin() throws Exception {
        List<String> topics = new CopyOnWriteArrayList<>();
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(EventConstants.EVENT_TOPIC, "org/verbena/rdma/device/*");
        context.registerService(
                EventHandler.class,
                event -> topics.add(event.getTopic() + " " + event.getProperty("rdma.device")),
                properties);
        loopback.plug("siw0", "198.18.0.1");
        eventually().until(() -> snapshot().devices().stream()
                .anyMatch(device -> device.condition() == DeviceSnapshot.Condition.PRESENT));

        assertThat(invoke("unplug", "siw0")).isEqualTo("device siw0 is out");
        services.awaitNoDevice("siw0");
        assertThat(invoke("plug", "siw0")).isEqualTo("device siw0 serves again");

        eventually().until(() -> topics.size() >= 3);
        assertThat(topics)
                .containsSubsequence(
                        "org/verbena/rdma/device/UP siw0",
                        "org/verbena/rdma/device/DOWN siw0",
                        "org/verbena/rdma/device/UP siw0");
    }

    @Test
    public void commandsShowWhatThereIs() throws Exception {
        Gogo gogo = new Gogo(context);
        loopback.plug("siw0", "198.18.0.1");
        start("peer");
        Peer peer = new Peer(context, "peer");
        peer.establish("198.18.0.1", "198.18.0.1", peer.listen("198.18.0.1"));

        assertThat(gogo.run("rdma:connections"))
                .contains("siw0")
                .contains("active")
                .contains("passive of");
        assertThat(gogo.run("rdma:connections --json")).contains("\"device\": \"siw0\"", "\"counters\": {");
        assertThat(gogo.run("rdma:stats siw0")).contains("connections.established");
        assertThat(gogo.run("rdma:ids --json")).contains("\"consumer\": \"peer\"");
        assertThat(gogo.run("rdma:listeners")).contains("198.18.0.1");
        assertThat(gogo.run("rdma:trace --help")).contains("Usage: trace");
        assertThat(gogo.run("rdma:doctor")).contains("Device siw0 of provider loopback serves 198.18.0.1");
        assertThat(gogo.run("rdma:unplug siw0")).contains("device siw0 is out");
        assertThat(gogo.run("rdma:plug siw0")).contains("device siw0 serves again");
    }

    @Test
    public void allEndWithTheirBundles() throws Exception {
        int port = metricsPort();
        assertThat(scrape(port)).isNotEmpty();
        for (String bundle : List.of("operations", "health", "metrics", "shell")) {
            stop(symbolicName(bundle));
        }
        assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(bean()))
                .isFalse();
        assertThat(services.all("org.apache.felix.hc.api.HealthCheck", null)).isEmpty();
        for (String bundle : List.of("operations", "health", "metrics", "shell")) {
            start(symbolicName(bundle));
        }
        eventually().until(() -> ManagementFactory.getPlatformMBeanServer().isRegistered(bean()));
    }

    private int metricsPort() throws Exception {
        services.configurationAdmin()
                .follow("getConfiguration", "org.verbena.rdma.metrics", "?")
                .call("update", new Hashtable<>(java.util.Map.of("port", 0)));
        String logged = eventually()
                .until(
                        () -> logged("org.verbena.rdma.metrics").stream()
                                .filter(line -> line.contains("metrics are at") && !line.contains(":9464/"))
                                .findFirst()
                                .orElse(""),
                        line -> !line.isEmpty());
        return Integer.parseInt(logged.replaceAll(".*:([0-9]+)/metrics", "$1"));
    }

    private static List<String> scrape(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .toList();
    }

    private String health(String name) {
        return new Reflected(services.get("org.apache.felix.hc.api.HealthCheck", "(hc.name=" + name + ")"))
                .call("execute")
                .toString();
    }

    private static ObjectName bean() throws Exception {
        return new ObjectName("org.verbena.rdma:type=Monitor");
    }

    private static List<String> waitingFor(String device) throws Exception {
        TabularData removals =
                (TabularData) ManagementFactory.getPlatformMBeanServer().getAttribute(bean(), "Removals");
        return removals.values().stream()
                .map(CompositeData.class::cast)
                .filter(removal -> removal.get("device").equals(device))
                .flatMap(removal -> Stream.of((String[]) removal.get("waitingFor")))
                .toList();
    }

    private static Object invoke(String operation, String device) throws Exception {
        return ManagementFactory.getPlatformMBeanServer()
                .invoke(bean(), operation, new Object[] {device}, new String[] {String.class.getName()});
    }
}
