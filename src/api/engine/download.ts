import type { Warning } from "../../domain/kernel/context.ts";
import type { LongReply } from "./call.ts";
import { joinInParts } from "./parts.ts";

/** What a handler answers for a file instead of an object. */
export class Download {
  readonly type: string;
  readonly fileName: string;
  readonly parts: Iterable<string>;

  /** `fileName` is of our own making: letters, digits, dots and hyphens. */
  constructor(type: string, fileName: string, parts: Iterable<string>) {
    this.type = type;
    this.fileName = fileName;
    this.parts = parts;
  }
}

/** A file has no place for warnings, so a header says what they are. */
export const fileOf = async (
  { type, fileName, parts }: Download,
  warnings: readonly Warning[],
): Promise<LongReply> => ({
  status: 200,
  headers: {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${fileName}"`,
    ...(warnings.length > 0 ? { "X-Warnings": JSON.stringify(warnings) } : {}),
  },
  body: await joinInParts(parts),
});
