import { multipart } from "formidable";

/**
 * Maximum size of one part's headers. File names have at most 255 characters, which browsers encode in up to 9 bytes
 * each.
 */
const MAX_BYTES = 8 * 1024;

type Piece = { name: string; start?: number; end?: number };
type Parser = NodeJS.EventEmitter & { destroy(error: Error): void };

/** Stops parsing a form with an error as soon as the headers of one part are too long. */
function limitHeaders(form: object): void {
  // Without a boundary there is no parser. formidable reports that error itself.
  const { _parser: parser } = form as { _parser: Parser | null };
  let bytes = 0;
  parser?.prependListener("data", ({ name, start = 0, end = 0 }: Piece) => {
    if (name === "partBegin") bytes = 0;
    if (name !== "headerField" && name !== "headerValue") return;
    bytes += end - start;
    if (bytes > MAX_BYTES) parser.destroy(new Error(`The headers of a part have more than ${MAX_BYTES} bytes.`));
  });
}

/**
 * The formidable plugins for multipart forms. By default formidable stores headers of any length and looks for a
 * file's name in them in quadratic time: 160 KB would block the process for two seconds.
 */
export const MULTIPART: (typeof multipart)[] = [multipart, limitHeaders];
