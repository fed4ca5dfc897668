// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.browser.Browser.button;
import static org.verbena.rdma.itests.browser.Browser.card;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.verbena.rdma.itests.launcher.Verbena;

/** The page of {@code verbena --console}, as unpacked from the distribution, in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebConsoleIT {
    private static final String PASSWORD = "only for this test";
    private static final String SCRIPT = "<script>alert(1)</script>";
    private static final String GUESTS = "org.verbena.rdma.itests.browser";

    private Browser browser;
    private Verbena verbena;
    private String address;
    private String port;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        browser = Browser.start(folder.resolve("profile"));
        String name = "verbena-" + System.getProperty("verbena.version");
        Path tarball = Path.of(System.getProperty("verbena.launcher"), "target", name + ".tar.gz");
        assertThat(new ProcessBuilder("tar", "xzf", tarball.toString(), "-C", folder.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        Path home = folder.resolve(name);
        Files.copy(Path.of(System.getProperty("verbena.guests")), home.resolve("bundles/verbena/zz-guests.jar"));
        verbena = Verbena.start(
                home.resolve("bin/verbena"),
                Map.of("VERBENA_CONSOLE_PASSWORD", PASSWORD),
                "--console",
                "0",
                "--device",
                "iwarp:wire=127.0.0.1",
                "--device",
                "loopback:left=198.18.0.1",
                "--device",
                "loopback:right=198.18.1.1",
                "--device",
                "loopback:" + SCRIPT + "=198.18.2.1",
                "--device",
                "loopback:crowd=198.18.3.1");
        Matcher said = Pattern.compile("http://127\\.0\\.0\\.1:\\d+").matcher(verbena.await("web console at"));
        assertThat(said.find()).isTrue();
        address = said.group();
        verbena.await("Verbena.");
        verbena.type("rping -s -P -p 0 &");
        port = verbena.await("listening on").replaceAll(".*port ", "").strip();
        verbena.type(traffic());
    }

    @AfterAll
    void stop() {
        if (verbena != null) {
            verbena.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void logIn() {
        browser.open(address + "/");
        if (browser.address().endsWith("/login")) {
            browser.find("#password").sendKeys(PASSWORD, Keys.ENTER);
        }
        browser.awaitText("#liveness", "Live");
        browser.await("all devices are shown", () -> browser.all(".card").size() == 5);
    }

    @AfterEach
    void hasNotComplained() {
        browser.assertNoComplaint();
    }

    @Test
    @DisplayName("who is not logged in sees nothing, and a wrong password does not help")
    void nobodyGetsInWithoutThePassword() throws Exception {
        for (String name : List.of("state.json", "session.json", "unplug.json", "logout.json")) {
            assertThat(send(request(name).GET()).statusCode()).isEqualTo(401);
            assertThat(send(request(name).POST(device("left"))).statusCode()).isEqualTo(401);
        }
        assertThat(send(request("page.htm").GET()).headers().firstValue("Location"))
                .contains("/login");

        browser.click("#logout");
        browser.await("the form is there", () -> browser.address().endsWith("/login"));
        browser.find("#password").sendKeys("nonsense", Keys.ENTER);
        browser.awaitText("#message", "That is not the password.");
        assertThat(browser.title()).isEqualTo("Verbena: log in");
        // The refusal, as the browser logs it.
        browser.forgetComplaints();
        assertThat(poorContrast()).isEmpty();
    }

    @Test
    @DisplayName("a login alone changes nothing: a request without its token, or with another one, is refused")
    void aForgedRequestIsRefused() throws Exception {
        String cookies = browser.cookies();
        assertThat(send(request("state.json").header("Cookie", cookies).GET()).statusCode())
                .isEqualTo(200);

        for (String name : List.of("unplug.json", "plug.json", "logout.json")) {
            HttpRequest.Builder forged = request(name)
                    .header("Cookie", cookies)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(device("left"));
            assertThat(send(forged.copy()).statusCode()).isEqualTo(403);
            assertThat(send(forged.copy().header("X-Verbena-Token", "")).statusCode())
                    .isEqualTo(403);
            assertThat(send(forged.copy().header("X-Verbena-Token", "bm9uc2Vuc2U"))
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(browser.text(card("left"))).contains("link up");
    }

    @Test
    @DisplayName("another site's page, and a name that was made to lead here, are refused even before the login")
    void anotherSiteIsRefused() throws Exception {
        assertThat(send(request("login").header("Origin", "http://example.org").POST(password()))
                        .statusCode())
                .isEqualTo(421);
        assertThat(send(request("login").header("Host", "example.org").POST(password()))
                        .statusCode())
                .isEqualTo(421);
        HttpResponse<String> page =
                send(request("page.htm").header("Cookie", browser.cookies()).GET());
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'self'")
                .doesNotContain("unsafe");
        assertThat(page.body()).doesNotContain("<style", "style=", "<script>").doesNotContainPattern(" on[a-z]+=");
    }

    @Test
    @DisplayName("a device is pulled under traffic by a click, and put back, and the page follows")
    void aDeviceIsPulledUnderTraffic() throws Exception {
        browser.awaitText("#body", "198.18.0.1:" + port);
        browser.await("bytes go through left", () -> browser.text(card("left") + " .rate")
                .matches("(?!0 )[0-9].* [kMG]?B/s"));
        browser.awaitText(card("left") + " .links .here", "right");

        browser.click(button("left"));
        browser.awaitText("#question", "Unplug left?");
        browser.awaitText("#concerned", "org.verbena.rdma.rping");
        browser.click("#refuse");
        assertThat(browser.all("dialog[open]")).isEmpty();
        assertThat(browser.text(card("left"))).contains("link up");

        browser.click(button("left"));
        browser.click("#agree");

        browser.awaitText(card("left"), "unplugged");
        String removal = "#timeline [data-kind=removal][data-device=left]";
        browser.awaitText(removal, "over");
        assertThat(browser.text(removal))
                .contains("Marked", "Telling its ids", "Waiting for consumers", "Closing", "told");
        browser.awaitText("#figure-devices", "4 of 5");
        browser.await("its connections are gone", () -> !browser.text("#body").contains("198.18.0.1:" + port));
        browser.awaitText("#timeline", "device removal");

        browser.click(button("left"));
        browser.awaitText("#question", "Plug in left?");
        browser.click("#agree");

        browser.awaitText(card("left"), "link up");
        browser.awaitText("#timeline", "left is up");
        verbena.type(traffic());
        browser.awaitText("#body", "198.18.0.1:" + port);
    }

    @Test
    @DisplayName("what somebody else does is followed too, and a refused request is said")
    void whatOthersDoIsFollowed() throws Exception {
        verbena.type("unplug wire");
        browser.awaitText(card("wire"), "unplugged");
        browser.awaitText("#timeline [data-kind=removal][data-device=wire]", "over");

        browser.click(button("wire"));
        browser.awaitText("#question", "Plug in wire?");
        verbena.type("plug wire");
        browser.awaitText(card("wire"), "link up");
        browser.click("#agree");
        browser.awaitText("#notice", "was refused");
        // The refusal, as the browser logs it.
        browser.forgetComplaints();
    }

    @Test
    @DisplayName("everything can be done by keyboard")
    void byKeyboardAlone() {
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to the devices");
        browser.press(Keys.ENTER);
        tabTo("Unplug wire");
        browser.press(Keys.ENTER);
        browser.awaitText("#question", "Unplug wire?");
        assertThat(browser.focused().getText()).isEqualTo("Cancel");
        browser.press(Keys.ESCAPE);
        browser.await("the question is gone", () -> browser.all("dialog[open]").isEmpty());
        assertThat(label(browser.focused())).isEqualTo("Unplug wire");

        browser.press(Keys.SPACE);
        browser.awaitText("#question", "Unplug wire?");
        browser.press(Keys.TAB, Keys.ENTER);
        browser.awaitText(card("wire"), "unplugged");
        browser.await("its button is still under the finger", () -> label(browser.focused())
                .equals("Plug in wire"));
        browser.press(Keys.ENTER);
        browser.awaitText("#question", "Plug in wire?");
        browser.press(Keys.ENTER);
        browser.awaitText(card("wire"), "link up");

        tabTo("Connections");
        browser.press(Keys.ARROW_RIGHT);
        browser.awaitText("#tab-listeners[aria-selected=true]", "Listeners");
        browser.awaitText("#body", "0.0.0.0:" + port);
        browser.press(Keys.END);
        browser.awaitText("#tab-consumers[aria-selected=true]", "Bundles");
        browser.awaitText("#body", "org.verbena.rdma.rping");
        browser.press("/");
        assertThat(browser.focused().getAttribute("id")).isEqualTo("filter");
        browser.press("nobody");
        browser.awaitText("#no-rows", "No row has");
    }

    @Test
    @DisplayName("a script in a peer's private data or in a name is text, and does not run")
    void aScriptIsText() throws Exception {
        verbena.type("hostile 198.18.2.1 198.18.1.1");
        verbena.await("hostile peers are connected");

        browser.awaitText("#body", "198.18.2.1:4711");
        browser.awaitText("#body", SCRIPT);
        browser.awaitText(card(SCRIPT) + " h3", SCRIPT);
        browser.awaitText(card("right") + " .links", SCRIPT);
        browser.click(button(SCRIPT));
        browser.awaitText("#question", "Unplug " + SCRIPT + "?");
        browser.click("#agree");
        browser.awaitText(card(SCRIPT), "unplugged");
        browser.awaitText("#timeline", "Removal of " + SCRIPT);
        browser.awaitText("#timeline", "Asked: unplug " + SCRIPT);

        assertThat(browser.title()).isEqualTo("Verbena");
        assertThat(browser.all("script")).hasSize(1);
        assertThat(browser.all("main img")).isEmpty();
        verbena.type("plug '" + SCRIPT + "'");
        browser.awaitText(card(SCRIPT), "link up");
    }

    @Test
    @DisplayName("ten thousand ids are shown a page at a time, and their device is pulled")
    void tenThousandIds() throws Exception {
        verbena.type("many 198.18.3.1 10000");
        verbena.await("10000 ids are there");

        browser.click("#tab-ids");
        browser.awaitText("#tab-ids", "10,000");
        browser.awaitText("#range", "1 to 25 of 10,000");
        assertThat(browser.all("#body tr")).hasSize(25);
        browser.click("#last");
        browser.awaitText("#range", "9,976 to 10,000 of 10,000");
        browser.click("th[data-column=local] button");
        browser.awaitText("#range", "1 to 25");
        browser.find("#filter").sendKeys(browser.text("#body td.code"));
        browser.awaitText("#range", "that match, of 10,000");
        assertThat((long) browser.run("return document.querySelectorAll('*').length"))
                .as("elements on the page")
                .isLessThan(3_000);

        browser.click(button("crowd"));
        browser.awaitText("#consequence", "from 10,000 ids");
        browser.awaitText("#concerned", GUESTS + ": 10,000 ids");
        browser.click("#agree");
        browser.awaitText("#timeline [data-kind=removal][data-device=crowd]", "10,000 ids told");
        browser.awaitText("#timeline", "device removal");
        browser.awaitText("#tab-ids", "0");
        browser.click(button("crowd"));
        browser.click("#agree");
        browser.awaitText(card("crowd"), "link up");
    }

    @Test
    @DisplayName("who holds up a removal is named while it runs and afterwards")
    void whoHoldsUpARemovalIsNamed() throws Exception {
        verbena.type("stubborn 198.18.3.1");
        verbena.await("stubborn on 198.18.3.1");
        browser.awaitText(card("crowd"), "1 id");

        browser.click(button("crowd"));
        browser.click("#agree");

        browser.awaitText(card("crowd") + " .waiting", GUESTS);
        browser.awaitText(card("crowd") + " .step", "Waiting for consumers");
        String removal = "#timeline [data-kind=removal][data-device=crowd]";
        browser.awaitText(removal, "running");
        browser.awaitText(removal, "over");
        browser.awaitText(removal, GUESTS);
        verbena.type("release");
        browser.awaitText(card("crowd"), "unplugged");
        browser.click(button("crowd"));
        browser.click("#agree");
        browser.awaitText(card("crowd"), "link up");
    }

    @Test
    @DisplayName("light or dark, wide or narrow: every text stands out, and nothing is cut off at the side")
    void everyTextStandsOut() {
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            assertThat(poorContrast()).as(scheme).isEmpty();
            browser.click(button("wire"));
            browser.awaitText("#question", "Unplug wire?");
            assertThat(poorContrast()).as(scheme + ", with a question").isEmpty();
            browser.press(Keys.ESCAPE);
        }
        for (int width : new int[] {1440, 1000, 500}) {
            browser.resize(width, 900);
            assertThat((boolean) browser.run(
                            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                    .as("width " + width)
                    .isTrue();
        }
        browser.resize(1440, 1000);
    }

    /** A client on the device right, whose server is on the device left. */
    private String traffic() {
        return "rping -c -a 198.18.0.1 -I 198.18.1.1 -p " + port + " -S 4000 &";
    }

    private void tabTo(String label) {
        for (int i = 0; i < 60; i++) {
            if (label(browser.focused()).startsWith(label)) {
                return;
            }
            browser.press(Keys.TAB);
        }
        assertThat(label(browser.focused())).isEqualTo(label);
    }

    private static String label(WebElement element) {
        String label = element.getAttribute("aria-label");
        return label == null ? element.getText() : label;
    }

    private List<?> poorContrast() {
        return (List<?>) browser.runFile("contrast.js");
    }

    private HttpRequest.Builder request(String name) {
        return HttpRequest.newBuilder(URI.create(address + "/" + name));
    }

    private static HttpRequest.BodyPublisher device(String name) {
        return HttpRequest.BodyPublishers.ofString("device=" + name, UTF_8);
    }

    private static HttpRequest.BodyPublisher password() {
        return HttpRequest.BodyPublishers.ofString("password=" + PASSWORD.replace(' ', '+'), UTF_8);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
