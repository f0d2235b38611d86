import { createRequire } from "node:module";

/**
 * Rows as the bytes that arrived. pg makes a text of each column of each row, which costs more than anything else of a
 * list. A prepared statement reads its columns from the bytes instead (prepared-query.ts).
 */

/** A row, as pg's connection announces it. Its bytes are valid only until the next message. */
export class RowMessage {
  readonly name = "dataRow";
  readonly bytes: Buffer;
  /** Where the row starts, with its number of columns. */
  readonly start: number;
  /** Set by pg. */
  length = 0;

  constructor(bytes: Buffer, start: number) {
    this.bytes = bytes;
    this.start = start;
  }

  /** Where the row ends. */
  get end(): number {
    return this.start + this.length - LENGTH;
  }

  /** The columns as texts. pg's own queries read these. */
  get fields(): (string | null)[] {
    const { bytes } = this;
    const fields = new Array<string | null>(bytes.readInt16BE(this.start));
    let at = this.start + COUNT;
    for (let column = 0; column < fields.length; column++) {
      const from = at + LENGTH;
      const length = bytes.readInt32BE(at);
      at = length === -1 ? from : from + length;
      fields[column] = length === -1 ? null : bytes.toString("utf8", from, at);
    }
    return fields;
  }
}

/** Bytes of a length, and of the number of columns. */
const LENGTH = 4;
const COUNT = 2;

const DATA_ROW = 68;

type Message = { name: string; length: number };
type Parser = {
  parse(bytes: Buffer, each: (message: Message) => void): void;
  handlePacket(at: number, code: number, length: number, bytes: Buffer): Message;
};

/** pg's own parser of messages. Null in a version without it. */
const PgParser = parserOfPg();

function parserOfPg(): (new () => Parser) | null {
  try {
    const ofPg = createRequire(createRequire(import.meta.url).resolve("pg"));
    const { Parser } = ofPg("pg-protocol/dist/parser.js") as { Parser: new () => Parser };
    return typeof Parser.prototype.handlePacket === "function" && typeof Parser.prototype.parse === "function"
      ? Parser
      : null;
  } catch {
    return null;
  }
}

const RowParser =
  PgParser &&
  class extends PgParser {
    override handlePacket(at: number, code: number, length: number, bytes: Buffer): Message {
      if (code !== DATA_ROW) return super.handlePacket(at, code, length, bytes);
      const row = new RowMessage(bytes, at);
      row.length = length;
      return row;
    }
  };

/** The part of pg's connection that is replaced. */
type Listening = {
  attachListeners(stream: NodeJS.ReadableStream): void;
  emit(name: string, message: Message): void;
};

/** Lets a connection announce rows as bytes. Returns whether this version of pg allows it. */
export function announceBytes(connection: Listening): boolean {
  if (!RowParser || typeof connection.attachListeners !== "function") return false;
  connection.attachListeners = (stream) => {
    const parser = new RowParser();
    const announce = (message: Message) =>
      connection.emit(message.name === "error" ? "errorMessage" : message.name, message);
    stream.on("data", (bytes: Buffer) => parser.parse(bytes, announce));
  };
  return true;
}
