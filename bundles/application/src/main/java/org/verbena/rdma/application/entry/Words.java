package org.verbena.rdma.application.entry;

import java.util.List;
import org.apache.felix.service.command.CommandSession;

/**
 * A command line that comes as words, as a program gets them: nothing in them means anything to Gogo.
 *
 * @param command the name of the command
 * @param arguments its arguments
 */
record Words(String command, List<String> arguments) {
    static Words of(List<String> words) {
        return new Words(words.get(0), List.copyOf(words.subList(1, words.size())));
    }

    /** Puts the arguments into variables of the session; returns the line that names them. */
    String in(CommandSession session) {
        StringBuilder line = new StringBuilder(command);
        for (int i = 0; i < arguments.size(); i++) {
            String variable = "argument" + i;
            session.put(variable, arguments.get(i));
            line.append(" $").append(variable);
        }
        return line.toString();
    }
}
