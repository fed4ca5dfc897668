package org.verbena.rdma.console.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A file that the page is made of. What is not in the list is not to be had. */
final class PageFile {
    private static final Map<String, String> TYPES = Map.of(
            "htm", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml; charset=utf-8");

    private final String type;
    private final byte[] content;
    private final String tag;

    private PageFile(String name) {
        type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        try (InputStream stream = PageFile.class.getResourceAsStream("/org/verbena/rdma/console/page/" + name)) {
            content = stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + name + " of the page cannot be read", e);
        }
        tag = '"' + Integer.toHexString(Arrays.hashCode(content)) + '-' + content.length + '"';
    }

    static Map<String, PageFile> all() {
        return Stream.of(
                        "page.htm",
                        "page.css",
                        "logo.svg",
                        "main.js",
                        "remote.js",
                        "element.js",
                        "format.js",
                        "rates.js",
                        "devices.js",
                        "timeline.js",
                        "tables.js",
                        "confirmation.js")
                .collect(Collectors.toUnmodifiableMap(name -> name, PageFile::new));
    }

    void sendTo(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("ETag", tag);
        if (tag.equals(request.getHeader("If-None-Match"))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType(type);
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }
}
