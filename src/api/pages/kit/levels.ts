/**
 * The levels of a text's headings on a page, where they begin below the page's own ones and leave out no level: a text
 * whose headings are `##` and `####` has two levels.
 * @param top the level of the text's outermost headings
 */
export function levelsBelow(top: number): (level: number) => number {
  const open: number[] = [];
  return (level) => {
    while (open.length > 0 && open.at(-1)! >= level) open.pop();
    open.push(level);
    return Math.min(top + open.length - 1, 6);
  };
}
