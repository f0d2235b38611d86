import { expect, test } from "vitest";
import { search, titles } from "../support/search.ts";
import { world } from "../support/world.ts";

/** Words of many languages, side by side. */

const TEXTS = {
  chinese: "北京市人民政府发布新规定",
  japanese: "東京都庁でログイン画面を直す",
  tokyoAndKyoto: "東京と京都の天気",
  halfWidth: "ﾛｸﾞ ＡＢＣ１２３",
  korean: "로그인 페이지 오류",
  arabic: "إصلاح صَفْحَة تسجيل الدخول",
  hindi: "लॉगिन पृष्ठ ठीक करें",
  thai: "แก้ไขหน้าเข้าสู่ระบบที่พัง",
  german: "Größe der Übersicht für Herrn Müller",
  spelt: "Groesse der Uebersicht von Mueller",
  french: "Déjà réglé à l’œuvre",
  greek: "Σφάλμα σύνδεσης",
  russian: "Всё ещё не работает вход",
  turkish: "İstanbul ısı",
  decomposed: "Zu\u0308rich cafe\u0301",
  hebrew: "שָׁלוֹם עולם",
  decomposedKorean: "문서 편집기".normalize("NFD"),
  fullWidthPunctuation: "２０２６／１１／２２：保存＿失敗（ｆｏｏ＠ｂａｒ．ｃｏｍ）＜ｏｗｌ＞",
};

const FOUND: [keyof typeof TEXTS, string[]][] = [
  ["chinese", ["北京", "京市", "人民政府", "新规定", "定", "市人", "发布新", '"人民政府"', "北京 新规"]],
  ["japanese", ["東京都", "ログイン", "グイ", "京都庁", "画面", "直す", "を直", "東京都庁でログイン画面を直す"]],
  ["halfWidth", ["ログ", "abc", "ABC123", "ａｂｃ"]],
  ["korean", ["로그인", "페이지", "오류 로그"]],
  ["arabic", ["اصلاح", "صفحة", "صَفْحَة", "صفحه", "الدخول تسجيل"]],
  ["hindi", ["लॉगिन", "पृष्ठ", "ठीक करें"]],
  ["thai", ["เข้าสู่ระบบ", "หน้า", "แก้ไข", "ระบบที่พัง"]],
  ["german", ["größe", "GRÖSSE", "grosse", "uebersicht", "übersicht", "ubersicht", "Müller", "muller", "Mueller"]],
  ["spelt", ["größe", "Übersicht", "Müller", "mueller"]],
  ["french", ["deja", "regle", "DÉJÀ", "oeuvre", "œuvre"]],
  ["greek", ["σφαλμα", "ΣΥΝΔΕΣΗΣ"]],
  ["russian", ["все еще", "вход", "ВСЁ"]],
  ["turkish", ["istanbul"]],
  ["decomposed", ["Zürich", "zurich", "Zuerich", "café", "cafe"]],
  ["german", ["Gro\u0308ße", "Mu\u0308ller"]],
  ["spelt", ["Mu\u0308ller"]],
  ["decomposedKorean", ["문서", "편집기", "편집기".normalize("NFD")]],
  ["fullWidthPunctuation", ["2026 11", "22", "保存", "失敗", "保存失敗", "foo", "bar", "owl", "２０２６／１１"]],
  ["hebrew", ["שלום", "עולם"]],
];

test("words of every language are found, with and without accents, and inside words without spaces", async () => {
  const { owner, keyFor } = await world();
  for (const [title, description_md] of Object.entries(TEXTS)) {
    await owner.post("P/issues", { title, description_md }).expect(201);
  }
  for (const [title, queries] of FOUND) {
    const client = await keyFor(owner);
    for (const q of queries) {
      const found = (await search(client, q)).find((result) => result.title === title);
      expect(found, `${title}: ${q}`).toBeDefined();
      expect(found!.snippet, `${title}: ${q}`).toContain("<mark>");
    }
  }
});

test.each(["각", "ガ"])(
  "the letter %s is found in a long text where it is written as several characters",
  async (letter) => {
    const { owner } = await world();
    const parts = letter.normalize("NFD");
    // The 256th character is the first part or the second.
    for (const before of [254, 255]) {
      const description_md = `${"a".padEnd(before)}${parts}${parts} end`;
      await owner.post("P/issues", { title: `${before}`, description_md }).expect(201);
    }
    expect((await titles(owner, `"${letter}${letter}"`)).sort()).toEqual(["254", "255"]);
  },
);

test("letters that do not follow each other are no match", async () => {
  const { owner } = await world();
  for (const [title, description_md] of Object.entries(TEXTS)) {
    await owner.post("P/issues", { title, description_md }).expect(201);
  }
  expect(await titles(owner, "東京都")).toEqual(["japanese"]);
  expect((await titles(owner, "京都")).sort()).toEqual(["japanese", "tokyoAndKyoto"]);
  for (const q of ["京北", "政府人民", "人政", "ログン", "庁東", "ระบบแก้"])
    expect(await titles(owner, q), q).toEqual([]);
  expect(await titles(owner, "東京 -天気")).toEqual(["japanese"]);
  expect(await titles(owner, "東京 -東京都")).toEqual(["tokyoAndKyoto"]);
});

test("the list of a project's issues finds the same words", async () => {
  const { owner } = await world();
  for (const [title, description_md] of Object.entries(TEXTS)) {
    await owner.post("P/issues", { title, description_md }).expect(201);
  }
  for (const [q, title] of [
    ["東京都", "japanese"],
    ["größe herrn", "german"],
    ["deja", "french"],
  ] as const) {
    const { data } = await owner.get(`P/issues?q=${encodeURIComponent(q)}`).expect(200);
    expect(data.map(({ title }: { title: string }) => title)).toEqual([title]);
  }
});

test("words without spaces are found at the end of long texts, and not where only their letters are apart", async () => {
  const { owner } = await world();
  const filler = (length: number) =>
    Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n * 31 + n * 7) % 3_000))).join("");
  for (const length of [16_000, 16_001, 40_000, 40_001]) {
    await owner.post("W/docs", { title: `${length}`, body_md: `${filler(length)}龍虎鳳凰` }).expect(201);
  }
  await owner.post("W/docs", { title: "apart", body_md: `${filler(40_000)}龍東虎東鳳凰` }).expect(201);
  for (const q of ["龍虎鳳凰", "虎鳳凰"]) {
    expect((await titles(owner, q)).sort(), q).toEqual(["16000", "16001", "40000", "40001"]);
  }
});
