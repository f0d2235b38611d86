import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Four ways in which a person uses a page. Each finds things by what they are called, as the person does. */

export type Hands = {
  /** A link, a button, or the head of a fold. */
  press(target: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** An option of a list, by its words. */
  choose(list: Locator, option: string): Promise<void>;
  /** A box, or one of several circles. */
  tick(box: Locator): Promise<void>;
};

export type Way = {
  context: BrowserContextOptions;
  hands: (page: Page) => Hands;
  /** Whether the person can drag. */
  drags?: boolean;
  /** Whether the navigation is behind a button. */
  narrow?: boolean;
};

const viewport = { width: 1280, height: 900 };

export const WAYS: Record<string, Way> = {
  "by mouse": { context: { viewport }, hands: () => mouse, drags: true },
  "without scripts": { context: { viewport, javaScriptEnabled: false }, hands: () => mouse },
  "by keyboard alone": { context: { viewport }, hands: keys },
  "on a phone without scripts": {
    context: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, javaScriptEnabled: false },
    hands: () => fingers,
    narrow: true,
  },
};

const mouse: Hands = {
  press: (target) => target.click(),
  async write(field, text) {
    await field.click();
    await field.fill(text);
  },
  async choose(list, option) {
    await list.selectOption({ label: option });
  },
  tick: (box) => box.check(),
};

const fingers: Hands = {
  ...mouse,
  press: (target) => target.tap(),
  async write(field, text) {
    await field.tap();
    await field.fill(text);
  },
  async tick(box) {
    await box.tap();
    expect(await box.isChecked()).toBe(true);
  },
};

/** More presses of Tab than this, for one step, are too many. */
const MOST_TABS = 30;

/** Only keys. Tab alone moves the focus, and the link that skips the navigation. */
function keys(page: Page): Hands {
  const { keyboard } = page;
  const has = (target: Locator): Promise<boolean> =>
    target.evaluate((node) => node === node.ownerDocument.activeElement);
  async function reach(target: Locator): Promise<void> {
    await target.waitFor();
    const from = page.url();
    let way = await target.evaluate(wayTo);
    if (way === "below the navigation") {
      await keyboard.press("Tab");
      if (await has(page.getByRole("link", { name: "Skip to the content" }))) await keyboard.press("Enter");
      way = await target.evaluate(wayTo);
    }
    for (let tabs = 0; way !== "here"; tabs++) {
      expect(tabs, `presses of Tab to ${target} on ${from}`).toBeLessThan(MOST_TABS);
      await keyboard.press(way === "above" ? "Shift+Tab" : "Tab");
      way = await target.evaluate(wayTo);
    }
  }
  return {
    async press(target) {
      await reach(target);
      await keyboard.press("Enter");
    },
    async write(field, text) {
      await reach(field);
      // A date is typed in the order of the browser's language.
      const isDate = (await field.getAttribute("type")) === "date";
      await keyboard.type(isDate ? text.replace(/(\d+)-(\d+)-(\d+)/, "$2$3$1") : text);
    },
    async choose(list, option) {
      await reach(list);
      for (let left = await list.evaluate(optionsTo, option); left !== 0; left += left < 0 ? 1 : -1)
        await keyboard.press(left < 0 ? "ArrowUp" : "ArrowDown");
      expect(await list.evaluate(optionsTo, option)).toBe(0);
    },
    async tick(box) {
      await reach(box);
      if (!(await box.isChecked())) await keyboard.press("Space");
      expect(await box.isChecked()).toBe(true);
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: runs in the browser, whose types the project does not load
type Node = any;

/** How far an option of a list is from the chosen one. */
const optionsTo = (list: Node, label: string): number =>
  [...list.options].findIndex((option) => option.label === label) - list.selectedIndex;

/** Where a thing is, seen from where the focus is. A page that has just been opened has it nowhere, or where its address says. */
function wayTo(node: Node): "here" | "above" | "below" | "below the navigation" {
  const { ownerDocument: page } = node;
  if (page.activeElement === node) return "here";
  const from = page.activeElement === page.body ? page.querySelector(":target") : page.activeElement;
  if (from === null) return page.getElementById("main")?.contains(node) ? "below the navigation" : "below";
  return (from.compareDocumentPosition(node) & 2) === 0 ? "below" : "above";
}
