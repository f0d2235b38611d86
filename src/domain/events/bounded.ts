/** What an event contains of its object. */
type Content = { data: unknown; previous: Record<string, unknown> | null };

/** The largest message as JSON, in bytes. In larger ones, long texts are cut. */
export const MESSAGE_LIMIT = 256 * 1024;
/** What a message contains besides its object, in bytes. */
const ENVELOPE = 4 * 1024;
/** Texts of this many characters in total always fit: each takes at most six bytes as JSON. */
const SURELY_FITS = 32 * 1024;

const TEXT_LENGTHS = [256, 1_024, 4_096, 16_384, 65_536];

/**
 * The content of an event as it is stored. No receiver gets more than MESSAGE_LIMIT, so long texts are cut before they are
 * stored: otherwise fifty additions to a long doc would store fifty megabytes.
 */
export function bounded<Event extends Content>(event: Event): Event & { truncated?: true } {
  const { data, previous } = event;
  if (charactersIn(data, SURELY_FITS) + charactersIn(previous, SURELY_FITS) <= SURELY_FITS) return event;
  const cut = cutToFit({ data, previous }, MESSAGE_LIMIT - ENVELOPE);
  if (cut === null) return { ...event, data: { id: idOf(data) }, previous: null, truncated: true };
  return cut.isCut ? { ...event, ...cut.value, truncated: true } : event;
}

/** Whether an event is stored as it is, of whose object the JSON is known. False if that takes a closer look. */
export const surelyFits = (json: string, previous: Content["previous"]): boolean =>
  json.length + charactersIn(previous, SURELY_FITS) <= SURELY_FITS;

/** The value with its long texts cut to the longest length at which it fits; null if it has too many texts for that. */
export function cutToFit<Value>(value: Value, limit: number): { value: Value; isCut: boolean } | null {
  const fits = (one: Value) => Buffer.byteLength(JSON.stringify(one)) <= limit;
  if (fits(value)) return { value, isCut: false };
  let longest: { value: Value; isCut: boolean } | null = null;
  // The shortest first: the shorter the texts, the faster they are written, and one length too many is tried at most.
  for (const length of TEXT_LENGTHS) {
    const cut = cutTexts(value, length);
    if (!fits(cut)) break;
    longest = { value: cut, isCut: true };
  }
  return longest;
}

/** The id of an event's object. */
export const idOf = (data: unknown): unknown => ((data ?? {}) as { id?: unknown }).id;

/** Number of characters in the texts of a value. Stops counting above `most`. */
function charactersIn(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let sum = 0;
  for (const [name, member] of Object.entries(value)) {
    sum += name.length + charactersIn(member, most - sum);
    if (sum > most) break;
  }
  return sum;
}

function cutTexts<Value>(value: Value, length: number): Value;
function cutTexts(value: unknown, length: number): unknown {
  if (typeof value === "string") return value.length > length ? cutText(value, length) : value;
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTexts(item, length)]));
}

/** Does not split surrogate pairs, because one half is not valid Unicode. */
const cutText = (text: string, length: number) => `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
