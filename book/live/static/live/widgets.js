// Widgets that are alive: the page's widget manager on one end, ipywidgets in the worker on the other.
import { listenForArrows } from "./pick.js";

const load = (src) => new Promise((done, failed) => {
  const script = Object.assign(document.createElement("script"), { src, onload: done, onerror: failed });
  document.head.append(script);
});

const ask = (kernel, comm, data) => kernel.ask("comm", { comm, data: JSON.parse(JSON.stringify(data)) });

export class Widgets {
  /** `awaited` says what a press has to wait for, or nothing. */
  constructor(root, awaited) {
    this.root = root;
    this.awaited = awaited;
    this.comms = new Map();
    this.models = new Map(); // by the ids of their comms
    listenForArrows();
    // What is drawn anew stays at the step at which its reader was.
    document.addEventListener("change", ({ target }) => {
      const shown = target.closest(".tl-widget .widget-html-content");
      if (!shown || !target.matches(".tl-stepper > input")) return;
      shown.dataset.step = [...shown.querySelectorAll(".tl-stepper > input")].indexOf(target);
    });
    // The answer to a press is spoken, where a widget has a place for it.
    document.addEventListener("click", ({ target }) => {
      this.pressed = target.closest(".tl-widget");
      this.pressed?.querySelector(".tl-said")?.setAttribute("aria-live", "polite");
    }, true); // before the button sends its press
  }

  /** The kernel that the widgets speak with from now on. Those of another one are dead. */
  connect(kernel) {
    this.kernel = kernel;
    this.comms.clear();
    this.models.clear();
    this.arrived = Promise.resolve();
    this.manager = undefined;
  }

  /** Take a message of the kernel, in the order in which they come. */
  receive(message) {
    this.arrived = this.arrived.then(() => this.#take(message));
    return this.arrived;
  }

  /** Draw a widget into an element. */
  async show(model, element) {
    await this.arrived;
    const manager = await this.#made();
    await manager.display_view(await manager.create_view(await manager.get_model(model)), element);
  }

  async #take(message) {
    const manager = await this.#made();
    if (message.type === "comm_open") {
      const comm = this.#comm(message);
      this.comms.set(message.comm_id, comm);
      const content = { ...message, data: message.data };
      await manager.handle_comm_open(comm, { content, metadata: { version: "2.1.0" }, buffers: [] });
      this.models.set(message.comm_id, await manager.get_model(message.comm_id));
    } else if (message.type === "comm_msg") {
      await this.comms.get(message.comm_id)?.hear?.({
        content: message, metadata: {}, buffers: [], parent_header: {},
      });
      for (const shown of document.querySelectorAll(".tl-widget [data-step]")) {
        const tab = shown.querySelectorAll(".tl-stepper > input")[shown.dataset.step];
        if (tab) tab.checked = true;
      }
      this.#showResult();
    } else if (message.type === "comm_close") {
      this.comms.get(message.comm_id)?.end?.({ content: message });
      this.comms.delete(message.comm_id);
      this.models.delete(message.comm_id);
    }
  }

  // The first answer to a press comes into view, if the reader has stayed where it was pressed.
  #showResult() {
    const { pressed } = this, result = pressed?.querySelector(".tl-result");
    if (!result?.innerText.trim() || pressed.hasAttribute("data-shown")) return;
    pressed.setAttribute("data-shown", "");
    const { top, bottom } = pressed.getBoundingClientRect();
    if (top < innerHeight && bottom > 0) result.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  // While Python is busy, a widget holds back all states of a field but the first. A press would
  // overtake them, and its answer would be to the first letter of what is typed.
  #sendHeld() {
    for (const [comm, model] of this.models) {
      const state = model._msg_buffer;
      if (!state) continue;
      model._msg_buffer = null;
      ask(this.kernel, comm, { method: "update", state, buffer_paths: [] }).catch(() => {});
    }
  }

  // A press takes with it what the fields hold, and says at its widget what it has to wait for.
  #press() {
    this.#sendHeld();
    const awaited = this.pressed?.isConnected && this.awaited();
    if (!awaited) return null;
    const said = Object.assign(document.createElement("p"), { className: "tl-awaited", textContent: `${awaited}, then this press is next.` });
    said.setAttribute("role", "status");
    this.pressed.append(said);
    return said;
  }

  #comm({ comm_id, target_name }) {
    const { kernel } = this;
    return {
      comm_id,
      target_name,
      on_msg(hear) { this.hear = hear; },
      on_close(end) { this.end = end; },
      close: () => "",
      send: (data, callbacks) => {
        const said = data.method === "custom" ? this.#press() : null;
        const id = `page-${comm_id}-${Date.now()}-${Math.random()}`;
        const idle = { content: { execution_state: "idle" }, parent_header: { msg_id: id } };
        ask(kernel, comm_id, data).then(() => callbacks?.iopub?.status?.(idle), () => {})
          .finally(() => said?.remove());
        return id;
      },
    };
  }

  #made() {
    return (this.manager ??= this.#library().then(
      (library) => new library.HTMLManager({ loader: () => Promise.reject() })));
  }

  async #library() {
    // As the pages of a notebook load it: the paths first, then require.js, then the manager.
    if (!window.require?.defined) {
      for (const name of ["widgets-boot.js", "vendor/require.js", "vendor/embed-amd.js"]) {
        await load(`${this.root}_static/${name}`);
      }
    }
    return new Promise((done, failed) => {
      window.require(["@jupyter-widgets/html-manager"], done, failed);
    });
  }
}
