package org.verbena.rdma.itests.karaf;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What is in the KAR. */
final class Kar {
    /** A bundle of a feature, with its manifest and its metatype files. */
    record Bundle(String name, int startLevel, Attributes manifest, List<Document> metatypes) {
        String header(String name) {
            String value = manifest.getValue(name);
            return value == null ? "" : value;
        }
    }

    /** A file that a feature puts into etc. */
    record Configuration(String name, List<String> lines) {}

    /** A feature; its features include those that come under a condition. */
    record Feature(
            String name,
            String description,
            String details,
            List<String> features,
            List<Bundle> bundles,
            List<Configuration> configurations) {}

    private final List<Feature> features = new ArrayList<>();

    Kar() throws Exception {
        try (JarFile kar = new JarFile(Karaf.kar().toFile())) {
            ZipEntry descriptor = kar.stream()
                    .filter(entry -> entry.getName().endsWith("-features.xml"))
                    .findFirst()
                    .orElseThrow();
            for (Element feature : children(xml(kar.getInputStream(descriptor)).getDocumentElement(), "feature")) {
                features.add(feature(kar, feature));
            }
        }
    }

    List<Feature> features() {
        return features;
    }

    static List<Element> children(Element parent, String name) {
        List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && name.equals(element.getLocalName())) {
                children.add(element);
            }
        }
        return children;
    }

    private static Feature feature(JarFile kar, Element feature) throws Exception {
        List<Bundle> bundles = new ArrayList<>();
        for (Element bundle : children(feature, "bundle")) {
            bundles.add(bundle(kar, bundle));
        }
        List<Configuration> configurations = new ArrayList<>();
        for (Element file : children(feature, "configfile")) {
            try (InputStream content = kar.getInputStream(entry(kar, file))) {
                configurations.add(new Configuration(
                        file.getAttribute("finalname"),
                        new String(content.readAllBytes(), UTF_8).lines().toList()));
            }
        }
        return new Feature(
                feature.getAttribute("name"),
                feature.getAttribute("description"),
                String.join(
                        "",
                        children(feature, "details").stream()
                                .map(Element::getTextContent)
                                .toList()),
                Stream.concat(
                                children(feature, "feature").stream(),
                                children(feature, "conditional").stream()
                                        .flatMap(conditional -> children(conditional, "feature").stream()))
                        .map(Element::getTextContent)
                        .toList(),
                bundles,
                configurations);
    }

    private static Bundle bundle(JarFile kar, Element bundle) throws Exception {
        List<Document> metatypes = new ArrayList<>();
        try (JarInputStream jar = new JarInputStream(kar.getInputStream(entry(kar, bundle)))) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                if (entry.getName().startsWith("OSGI-INF/metatype/")
                        && entry.getName().endsWith(".xml")) {
                    metatypes.add(xml(new ByteArrayInputStream(jar.readAllBytes())));
                }
            }
            Attributes manifest = jar.getManifest().getMainAttributes();
            return new Bundle(
                    manifest.getValue("Bundle-SymbolicName"),
                    Integer.parseInt(bundle.getAttribute("start-level")),
                    manifest,
                    metatypes);
        }
    }

    /** Where the KAR has what a mvn URL names. */
    private static ZipEntry entry(JarFile kar, Element element) throws IOException {
        String[] parts = element.getTextContent().strip().replace("mvn:", "").split("/");
        String type = parts.length > 3 ? parts[3] : "jar";
        String classifier = parts.length > 4 ? "-" + parts[4] : "";
        String path = "repository/" + parts[0].replace('.', '/') + "/" + parts[1] + "/" + parts[2] + "/" + parts[1]
                + "-" + parts[2] + classifier + "." + type;
        ZipEntry entry = kar.getEntry(path);
        if (entry == null) {
            throw new IOException("the KAR has no " + path);
        }
        return entry;
    }

    private static Document xml(InputStream content) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(content);
    }
}
