import { z } from "zod";
import { some } from "./types.ts";

/** Exporting documents as HTML and PDF. */
export const exportVariables = {
  EXPORT_PROCESSES: some
    .default(2)
    .describe("Documents that one web process renders at once, each in a process of its own."),
  EXPORT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(10_000)
    .describe("Time limit for rendering a document, in milliseconds."),
  EXPORT_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(256)
    .default(768)
    .describe("Memory that rendering a document may use, in MB. Checked on Linux only."),
};
