package org.verbena.rdma.shell.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.PrintStream;

/** Writes records, lists and maps as JSON; what is null is left out. */
public final class Json {
    private final Gson gson;

    private Json(Gson gson) {
        this.gson = gson;
    }

    /** For people: one value a line. */
    public static Json pretty() {
        return new Json(
                new GsonBuilder().disableHtmlEscaping().setPrettyPrinting().create());
    }

    /** For programs that read line by line: no line breaks. */
    public static Json oneLine() {
        return new Json(new GsonBuilder().disableHtmlEscaping().create());
    }

    /** Writes a value and ends the line. */
    public void print(PrintStream out, Object value) {
        out.println(text(value));
    }

    /** Returns a value as JSON. */
    public String text(Object value) {
        return gson.toJson(value);
    }
}
