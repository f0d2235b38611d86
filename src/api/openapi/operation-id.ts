import type { Operation } from "../engine/operation.ts";

/**
 * `operationId` in OpenAPI: a verb and an object in camelCase, so that generated clients have functions named like
 * `createIssue` and `listIssueComments`. Our own ids stay `issues.create`: logs and metrics use them. Ids without a
 * dot are published by the payment documents and already have this form.
 */
export function operationIdOf({ id, method, shape }: Pick<Operation, "id" | "method" | "shape">): string {
  const [first, ...others] = id.split(".") as [string, ...string[]];
  const action = others.at(-1);
  if (action === undefined) return id;
  // Objects inside others keep both nouns: `webhooks.deliveries.retry` is `retryWebhookDelivery`.
  const resource = others.length === 1 ? first : `${singular(first)}-${others[0]}`;

  const isList = shape === "list" || shape === "all";
  if (action === "list" || shape === "bulk") return camelCase(`${action}-${resource}`);
  // A part of one object, such as issues.activity.
  const isPart = method === "GET" && action !== "get";
  const [verb, ...rest] = isPart ? [isList ? "list" : "get", action] : action.split("-");
  return camelCase([verb, singular(resource), ...rest].join("-"));
}

const camelCase = (words: string) => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `milestones` → `milestone`. */
export function singular(resource: string): string {
  if (resource.endsWith("ies")) return `${resource.slice(0, -3)}y`;
  if (/statuses$/i.test(resource)) return resource.slice(0, -2);
  return resource.replace(/s$/, "");
}
