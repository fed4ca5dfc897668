// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium, and how a person acts and looks in it. */
final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts one; where Debian's Chromium is not installed the test is skipped. */
    static Browser start(Path profile) {
        Assumptions.assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "needs Debian's packages chromium and chromium-driver");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.setCapability("goog:loggingPrefs", logs);
        options.addArguments(
                "--headless=new",
                // Root has no sandbox, and what is shown is our own.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(DRIVER.toString()))
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.driver.manage().window().setSize(new Dimension(1440, 1000));
        return browser;
    }

    void open(String address) {
        driver.get(address);
    }

    String address() {
        return driver.getCurrentUrl();
    }

    String title() {
        return driver.getTitle();
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    String text(String selector) {
        return find(selector).getText();
    }

    /** The selector of the button on the card of a device. */
    static String button(String device) {
        return card(device) + " button";
    }

    static String card(String device) {
        return ".card[data-device=\"" + device + "\"]";
    }

    void click(String selector) {
        await("there is " + selector, () -> !all(selector).isEmpty());
        WebElement element = find(selector);
        // As a person does: a driver is content with what is in the window, and be it below the bar on top.
        driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
        element.click();
    }

    /** Types to whatever has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** What has the focus. */
    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    /** Waits for something to be so; what vanishes while it is looked at is looked at again. */
    void await(String what, Condition condition) {
        try {
            Awaitility.await(what)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreException(StaleElementReferenceException.class)
                    .until(condition::holds);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + "; the page is\n" + text("body"), e);
        }
    }

    /** Waits for a text to be in an element. */
    void awaitText(String selector, String text) {
        await(selector + " says '" + text + "'", () -> all(selector).stream()
                .anyMatch(element -> element.getText().contains(text)));
    }

    /** Something that will be so. */
    interface Condition {
        boolean holds();
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    Object runFile(String name) {
        try (InputStream stream = Browser.class.getResourceAsStream(name)) {
            return run(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the page believe that its reader prefers these colours and no motion. */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    String cookies() {
        StringBuilder cookies = new StringBuilder();
        driver.manage().getCookies().forEach(cookie -> cookies.append(cookie.getName())
                .append('=')
                .append(cookie.getValue())
                .append("; "));
        return cookies.toString();
    }

    /** No script of anybody else's has run, nothing was refused by the policy, and nothing of ours has failed. */
    void assertNoComplaint() {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                        .map(entry -> entry.getMessage()))
                .isEmpty();
    }

    /** Of what was complained about so far nothing counts. */
    void forgetComplaints() {
        driver.manage().logs().get(LogType.BROWSER);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
