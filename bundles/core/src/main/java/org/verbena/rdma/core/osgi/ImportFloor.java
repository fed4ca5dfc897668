package org.verbena.rdma.core.osgi;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.session.CmVersion;

/**
 * Reads which version of the cm package a bundle was built against: the floor of the range in its requirement, on its
 * wire to the package. The capability on that wire has the exporter's version, which is the same for everybody.
 *
 * <p>The set of bundles that were told about is concurrent.
 */
final class ImportFloor {
    private static final Logger LOGGER = LoggerFactory.getLogger(ImportFloor.class);
    private static final String CM_PACKAGE = "org.verbena.rdma.cm";
    /** A lower bound in a filter; an upper bound is the same term behind a negation. */
    private static final Pattern LOWER_BOUND = Pattern.compile("(?<!\\(!)\\(version>=(\\d+)(?:\\.(\\d+))?");

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    CmVersion of(Bundle bundle) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        if (wiring != null) {
            for (BundleWire wire : wiring.getRequiredWires(PackageNamespace.PACKAGE_NAMESPACE)) {
                if (CM_PACKAGE.equals(wire.getCapability().getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE))) {
                    String filter = wire.getRequirement().getDirectives().get(Constants.FILTER_DIRECTIVE);
                    CmVersion floor = parse(filter);
                    if (floor != null) {
                        return floor;
                    }
                }
            }
        }
        if (told.add(bundle.getSymbolicName())) {
            LOGGER.info(
                    "bundle {} has no readable import range of {}: it is shown the events of version {} only",
                    bundle.getSymbolicName(),
                    CM_PACKAGE,
                    CmVersion.OLDEST);
        }
        return CmVersion.OLDEST;
    }

    static CmVersion parse(String filter) {
        if (filter == null) {
            return null;
        }
        Matcher bound = LOWER_BOUND.matcher(filter);
        if (!bound.find()) {
            return null;
        }
        String minor = bound.group(2);
        return new CmVersion(Integer.parseInt(bound.group(1)), minor == null ? 0 : Integer.parseInt(minor));
    }
}
