import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { CapturedMail } from "../../api/pages/dev-mailbox.ts";
import { readMail } from "./captured-mail.ts";

export type MailServer = { url: string; port: number; stop(): Promise<void> };

const MAX_BYTES = 5 * 1024 * 1024;

/**
 * An SMTP server on loopback that delivers nothing. `keep` gets each mail before its sender is told that it was
 * accepted. If it throws, the server replies with the error; `responseCode` is the status.
 */
export async function startMailServer(
  keep: (mail: CapturedMail) => Promise<void> | void,
  { port = 0 }: { port?: number } = {},
): Promise<MailServer> {
  const server = new SMTPServer({
    size: MAX_BYTES,
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", answer);
      stream.on("end", () => {
        readMail(Buffer.concat(chunks), session.envelope.rcptTo[0]?.address ?? "")
          .then(keep)
          .then(() => answer(), answer);
      });
    },
  });
  // Senders that disconnect; the server continues.
  server.on("error", () => {});
  await new Promise<void>((listening, failed) => {
    server.server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  const bound = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}
