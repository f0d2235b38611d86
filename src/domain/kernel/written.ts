/** An object of a view whose JSON exists already, because its event stores the same. So it is written once. */
export class Written<View extends object> {
  readonly view: View;
  /** With all fields of the view, and no others. */
  readonly json: string;

  constructor(view: View, json: string) {
    this.view = view;
    this.json = json;
  }
}
