/**
 * Texts as the index compares them (`search_folded` in migrations/0047-search.ts): in lower case and without accents. Each
 * letter of a script without spaces stands between spaces, so that it is a word. The position of each character in the
 * original is kept, so that matches can be marked there.
 */
export type Folded = { text: string /** Where each character of `text` begins in the original. */; at: number[] };

export function fold(original: string): Folded {
  let text = "";
  const at: number[] = [];
  let index = 0;
  for (const letter of original) {
    const folded = foldedLetter(letter);
    const joined = JOINING.test(folded) ? joinedTo(text, folded) : null;
    if (joined !== null) text = joined;
    else {
      text += folded;
      for (let n = 0; n < folded.length; n++) at.push(index);
    }
    index += letter.length;
  }
  at.push(index);
  return { text, at };
}

/** The text with the mark in its last letter; null if they do not make one letter. The length stays the same. */
function joinedTo(text: string, mark: string): string | null {
  const space = text.endsWith(" ") ? " " : "";
  const end = text.length - space.length;
  const letter = (text.slice(Math.max(0, end - 1), end) + mark).normalize("NFC");
  return letter.length === 1 && end > 0 ? text.slice(0, end - 1) + letter + space : null;
}

const MARKS =
  /[\u0300-\u036f]|[\u0591-\u05bd]|[\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0610-\u061a]|[\u064b-\u065f\u0670]|[\ufe00-\ufe0f]|[\u00ad\u0640\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3134f}]/u;
const VOICED = /^[\u3099\u309a]$/;
/** Voiced marks of half-width Kana, and vowels and last consonants of Hangul that are characters of their own. */
const JOINING = /^[\u3099\u309a\u1160-\u11ff]$/;

/** Letters that are written in two ways, or without an accent that could be removed. */
const LETTERS = new Map<string, string>(
  Object.entries({
    ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th", ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", ŧ: "t" },
    ...{ ى: "ي", ة: "ه", ک: "ك", ی: "ي", ς: "σ" },
  }),
);

/** Letters that were folded before. Most texts have few different ones. */
const known = new Map<string, string>();
const MAX_KNOWN = 20_000;

function foldedLetter(letter: string): string {
  const seen = known.get(letter);
  if (seen !== undefined) return seen;
  const plain = letter.toLowerCase().normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase();
  const parts = Array.from(plain, (part) => LETTERS.get(part) ?? part);
  const folded = parts.map((part) => (UNSPACED.test(part) && !VOICED.test(part) ? ` ${part} ` : part)).join("");
  if (known.size < MAX_KNOWN) known.set(letter, folded);
  return folded;
}
