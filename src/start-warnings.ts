import { isLoopbackHost } from "./api/http/own-host.ts";
import type { Config } from "./config.ts";

/** What a web process says at its start about settings that are valid, but that an operator may not have meant. */
export function warningsOf(config: Config): string[] {
  const { NODE_ENV, BASE_URL, S3_BUCKET, FILES_FOLDER, SMTP_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = config;
  const inProduction = NODE_ENV === "production";
  const { protocol, host } = new URL(BASE_URL);
  const warnings: string[] = [];
  if (inProduction && protocol === "http:" && !isLoopbackHost(host)) {
    warnings.push("keys and sessions travel unencrypted: BASE_URL begins with http:");
  }
  if (inProduction && !S3_BUCKET) {
    warnings.push(`files lie in the folder ${FILES_FOLDER}, which every process has to share: S3_BUCKET is not set`);
  }
  if (!SMTP_URL) warnings.push("nobody can sign in or be invited by mail: SMTP_URL is not set");
  if (!STRIPE_SECRET_KEY) warnings.push("buying credits answers 503 payments_off: STRIPE_SECRET_KEY is not set");
  else if (!STRIPE_WEBHOOK_SECRET) {
    warnings.push("the card processor's notices are not believed: STRIPE_WEBHOOK_SECRET is not set");
  }
  return warnings;
}
