import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { app, configure } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look, profile } from "../support/chromium.ts";

/** The page of all pieces, which is there in development only. */

configure({ MAILBOX_FOLDER: tmpdir() });

const PAGES = new URL("../../src/api/pages/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, PAGES), "utf8");

/** These make no HTML that could be looked at, or are parts of others. */
const NO_PIECES =
  /^(TIME_HINT|beginningOf|hidden|jsonShown|jsonToEdit|laidOut|typeOf|writtenAll|levelsBelow|issuePath|issuePathOf|pathIn|besideOf|placeOf|sessionState|dollars|orNull|orAbsent|long|numberOf|minutesOf|dayOf|dayWas|valuesOf|words|prose|written|raw|whoSee|withoutMarks)$/;

test("shows every piece of kit/", () => {
  const shown = readdirSync(PAGES)
    .filter((name) => name.startsWith("design"))
    .map(read)
    .join();
  const pieces = readdirSync(new URL("kit/", PAGES)).flatMap((name) =>
    [...read(`kit/${name}`).matchAll(/^export (?:const|function) (\w+)/gm)].map(([, piece]) => piece!),
  );
  expect(pieces.length).toBeGreaterThan(30);
  expect(pieces.filter((piece) => !NO_PIECES.test(piece) && !new RegExp(`\\b${piece}\\(`).test(shown))).toEqual([]);
});

test.skipIf(noBrowser !== "")(`in four looks${noBrowser}`, { timeout: 60_000 }, async () => {
  const { baseUrl } = await app();
  const page = await (await profile()).newPage();
  await page.goto(`${baseUrl}/dev/design`);
  await look(page, "design");
});
