package org.verbena.rdma.rping.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Figures for people. */
final class Report {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final int WIDTH = 40;
    private static final int FIRST_BUCKET = 1_000;

    private Report() {}

    /** What round trips have taken, as percentiles and as a histogram; values are in nanoseconds. */
    static List<String> latency(int size, Histogram histogram, double seconds) {
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "latency of %d-byte messages, there and back: %d in %.1f s", size, histogram.getTotalCount(), seconds));
        StringBuilder percentiles = new StringBuilder("  min " + micros(histogram.getMinValue()));
        for (double percentile : PERCENTILES) {
            percentiles
                    .append(format("  %s%% ", number(percentile)))
                    .append(micros(histogram.getValueAtPercentile(percentile)));
        }
        lines.add(percentiles
                .append("  max ")
                .append(micros(histogram.getMaxValue()))
                .toString());
        lines.addAll(bars(histogram));
        return lines;
    }

    private static List<String> bars(Histogram histogram) {
        List<String> lines = new ArrayList<>();
        long most = 1;
        List<long[]> counts = new ArrayList<>();
        for (HistogramIterationValue bucket : histogram.logarithmicBucketValues(FIRST_BUCKET, 2)) {
            counts.add(new long[] {bucket.getValueIteratedTo() + 1, bucket.getCountAddedInThisIterationStep()});
            most = Math.max(most, bucket.getCountAddedInThisIterationStep());
        }
        for (long[] count : counts) {
            if (count[1] > 0) {
                int length = (int) Math.max(1, count[1] * WIDTH / most);
                lines.add(format("  below %-10s %s %d", micros(count[0]), "#".repeat(length), count[1]));
            }
        }
        return lines;
    }

    /** How much was written. */
    static String bandwidth(int size, long writes, double seconds) {
        double bytes = (double) size * writes;
        return format(
                "bandwidth of %d-byte writes: %.1f MiB/s, %.3f Gbit/s, %d in %.1f s",
                size, bytes / seconds / (1 << 20), bytes * 8 / seconds / 1e9, writes, seconds);
    }

    private static String micros(long nanos) {
        return format("%.1f us", nanos / 1000.0);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static String format(String text, Object... arguments) {
        return String.format(Locale.ROOT, text, arguments);
    }
}
