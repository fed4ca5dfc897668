package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import aQute.bnd.header.Attrs;
import aQute.bnd.header.OSGiHeader;
import aQute.bnd.header.Parameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.itests.karaf.Kar.Bundle;
import org.verbena.rdma.itests.karaf.Kar.Configuration;
import org.verbena.rdma.itests.karaf.Kar.Feature;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What must hold of every feature, read from the KAR; no Karaf runs. */
class FeaturesIT {
    private static final String PREFIX = "org.verbena.rdma.";

    /** They serve the launcher; Karaf has something of its own in their place. */
    private static final Set<String> NOT_FOR_KARAF = Set.of("application", "console-host", "rping", "shell");

    private static Kar kar;

    @BeforeAll
    static void read() throws Exception {
        kar = new Kar();
    }

    @Test
    void eachBundleIsInExactlyOneFeature() throws Exception {
        List<String> folders;
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("verbena.root"), "bundles"))) {
            folders = all.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .filter(folder -> !NOT_FOR_KARAF.contains(folder))
                    .map(PREFIX::concat)
                    .toList();
        }
        assertThat(bundles().stream().map(Bundle::name)).doesNotHaveDuplicates().containsAll(folders);
    }

    @Test
    void thereIsAFeatureForEverything() {
        Feature all = feature("verbena-all");

        assertThat(all.bundles()).isEmpty();
        assertThat(all.features())
                .doesNotHaveDuplicates()
                .containsAll(kar.features().stream()
                        .map(Feature::name)
                        .filter(name -> !name.equals("verbena-all") && !name.equals("verbena"))
                        .toList());
    }

    @Test
    void eachFeatureIsExplained() {
        for (Feature feature : kar.features()) {
            assertThat(feature.description())
                    .as("description of " + feature.name())
                    .isNotBlank();
            assertThat(feature.details()).as("details of " + feature.name()).isNotBlank();
        }
    }

    @Test
    void nothingThatComesLaterRefreshesABundle() {
        for (Bundle bundle : own()) {
            // What no bundle has but the JDK; Karaf delegates it.
            assertThat(bundle.header("DynamicImport-Package")).as(bundle.name()).isIn("", "com.sun.net.httpserver");
            assertThat(bundle.header("Require-Bundle")).as(bundle.name()).isEmpty();
            assertThat(bundle.header("Fragment-Host")).as(bundle.name()).isEmpty();
            for (String header : List.of("Import-Package", "Require-Capability")) {
                Parameters clauses = OSGiHeader.parseHeader(bundle.header(header));
                for (Map.Entry<String, Attrs> clause : clauses.entrySet()) {
                    boolean optional = "optional".equals(clause.getValue().get("resolution:"));
                    boolean wired = !"active".equals(clause.getValue().get("effective:"));
                    assertThat(optional && wired)
                            .as(bundle.name() + " has " + header + ": " + clause)
                            .isFalse();
                }
            }
        }
    }

    @Test
    void whatKarafReleasesBringOfSlf4jWillDo() {
        for (Bundle bundle : own()) {
            Attrs slf4j =
                    OSGiHeader.parseHeader(bundle.header("Import-Package")).get("org.slf4j");
            assertThat(slf4j == null ? "[1.7,3)" : slf4j.getVersion())
                    .as(bundle.name())
                    .isEqualTo("[1.7,3)");
        }
    }

    @Test
    void coreStartsBeforeProvidersAndTheseBeforeConsumers() {
        for (Bundle bundle : own()) {
            int level =
                    switch (bundle.name().substring(PREFIX.length())) {
                        case "api", "spi", "core" -> 40;
                        case "disni-native" -> 45;
                        default -> bundle.name().startsWith(PREFIX + "provider-") ? 50 : 80;
                    };
            assertThat(bundle.startLevel()).as(bundle.name()).isEqualTo(level);
        }
    }

    @Test
    void eachProviderHasItsCapability() {
        for (Bundle bundle : own()) {
            if (bundle.name().startsWith(PREFIX + "provider-")) {
                Attrs provider = OSGiHeader.parseHeader(bundle.header("Provide-Capability"))
                        .get("rdma.provider");
                assertThat(provider).as(bundle.name()).isNotNull();
                assertThat(bundle.name()).isEqualTo(PREFIX + "provider-" + provider.get("type"));
            }
        }
    }

    @Test
    void eachKeyThatCanBeConfiguredStandsInEtcWithItsDefault() {
        for (Feature feature : kar.features()) {
            for (Bundle bundle : feature.bundles()) {
                if (bundle.name().startsWith(PREFIX)) {
                    bundle.metatypes().forEach(metatype -> standsInEtc(metatype, feature));
                }
            }
        }
    }

    @Test
    void eachDescriptionOfSettingsSaysWhetherTheyApplyLive() {
        for (Feature feature : kar.features()) {
            for (Bundle bundle : feature.bundles()) {
                for (Document metatype : bundle.name().startsWith(PREFIX) ? bundle.metatypes() : List.<Document>of()) {
                    Element definition =
                            (Element) metatype.getElementsByTagName("OCD").item(0);
                    assertThat(definition.getAttribute("description"))
                            .as(bundle.name())
                            .containsPattern("[Ll]ive");
                    assertThat(feature.details())
                            .as("details of " + feature.name())
                            .containsPattern("live|recreates the device");
                }
            }
        }
    }

    private static void standsInEtc(Document metatype, Feature feature) {
        Element designate = (Element) metatype.getElementsByTagName("Designate").item(0);
        boolean factory = designate.hasAttribute("factoryPid");
        String file = factory
                ? "etc/" + designate.getAttribute("factoryPid") + ".cfg.example"
                : "etc/" + designate.getAttribute("pid") + ".cfg";
        Configuration configuration = feature.configurations().stream()
                .filter(candidate -> candidate.name().equals(file))
                .findFirst()
                .orElseThrow(() -> new AssertionError(feature.name() + " has no <configfile> " + file));
        List<String> wanted = new ArrayList<>();
        NodeList attributes = metatype.getElementsByTagName("AD");
        for (int i = 0; i < attributes.getLength(); i++) {
            Element attribute = (Element) attributes.item(i);
            wanted.add((attribute.getAttribute("id") + " = " + attribute.getAttribute("default")).strip());
        }
        List<String> keys = configuration.lines().stream()
                .filter(line -> line.matches("#?[A-Za-z.]+ =.*"))
                .map(line -> line.replaceFirst("^#", ""))
                .toList();
        assertThat(keys.stream().map(line -> line.replaceFirst(" =.*", "")))
                .as("keys in " + file)
                .containsExactlyInAnyOrderElementsOf(wanted.stream()
                        .map(line -> line.replaceFirst(" =.*", ""))
                        .toList());
        for (String line : configuration.lines()) {
            // A line that is no comment sets something for the sake of the example, if it is one.
            if (line.matches("#[A-Za-z.]+ =.*") || !factory && line.matches("[A-Za-z.]+ =.*")) {
                assertThat(wanted).as("key and default in " + file).contains(line.replaceFirst("^#", ""));
            }
        }
        assertThat(String.join("\n", configuration.lines()).toLowerCase(Locale.ROOT))
                .as(file + " says what applies live")
                .contains("live");
    }

    private static List<Bundle> bundles() {
        return kar.features().stream()
                .flatMap(feature -> feature.bundles().stream())
                .toList();
    }

    private static List<Bundle> own() {
        return bundles().stream()
                .filter(bundle -> bundle.name().startsWith(PREFIX))
                .toList();
    }

    private static Feature feature(String name) {
        return kar.features().stream()
                .filter(feature -> feature.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
