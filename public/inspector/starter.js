// @ts-check
// The dialog that starts a session with options, if the app declares any.

import { showBusy } from "./busy.js";
import { $ } from "./dom.js";
import { putValue, valuesIn } from "./entries.js";
import { makeField } from "./fields.js";
import { inputFor, pointerTo } from "./inputs.js";
import { showProblemIn } from "./problems.js";

export class Starter {
  #options = [];
  #isStarting = false;

  /** - start: starts a session with options. It can throw a problem. - started: called with its answer. */
  constructor({ start, started }) {
    $("starter-cancel").addEventListener("click", () => $("starter").close());
    $("starter-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.#isStarting) return;
      this.#isStarting = true;
      showProblemIn($("starter-form"), null);
      try {
        const session = await showBusy($("starter-start"), start(valuesIn($("starter-fields"))));
        $("starter").close();
        started(session);
      } catch (problem) {
        showProblemIn($("starter-form"), problem, (value) => {
          putValue($("starter-fields"), problem.pointer, value);
        });
      } finally {
        this.#isStarting = false;
      }
    });
  }

  /** Sets the options that the catalog declares. */
  offer(options) {
    this.#options = options;
  }

  get hasOptions() {
    return this.#options.length > 0;
  }

  /** Opens with every option at its default. */
  open() {
    showProblemIn($("starter-form"), null);
    $("starter-fields").replaceChildren(...this.#options.map((option) => makeField({
      ...inputFor(option.name, option), prefix: "starter-field", pointer: pointerTo("options", option.name),
    })));
    $("starter").showModal();
  }
}
