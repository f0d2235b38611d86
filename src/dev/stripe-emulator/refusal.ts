/** An error in Stripe's form: a status and `{ error }`. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, error: { type: string; message: string } & Record<string, unknown>) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

type Details = { code?: string; param?: string; status?: number };

export const invalid = (message: string, { status = 400, ...details }: Details = {}) =>
  new Refusal(status, { type: "invalid_request_error", message, ...details });

/** 404 for the object of the path, 400 for one that a parameter names. */
export const noSuch = (what: string, id: string, param: string, status: 400 | 404 = 400) =>
  invalid(`No such ${what}: '${id}'`, { status, code: "resource_missing", param });

export const serverError = (status = 500) =>
  status === 429
    ? invalid("Request rate limit exceeded.", { status, code: "rate_limit" })
    : new Refusal(status, { type: "api_error", message: "An unknown error occurred." });
