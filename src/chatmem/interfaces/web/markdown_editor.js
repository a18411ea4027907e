// The browser's part of the Markdown editor (markdown.py) and of its document.

const chatmemEditor = {
  unsaved: new Set(),

  // A name for screen readers, Tab to leave, dimmed comments, and the theme of the page.
  async setUp(id, label) {
    for (let tries = 0; tries < 200; tries++) {
      const found = getElement(id);
      if (found?.editorPromise) return chatmemEditor.dress(found, await found.editorPromise, label);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },

  async dress(found, view, label) {
    const CM = await import("nicegui-codemirror");
    const attributes = {
      "aria-label": label, spellcheck: "true", tabindex: "0", "data-gramm": "false",
    };
    const readOnly = {"aria-readonly": "true"};
    const notes = new CM.MatchDecorator({
      regexp: /<\!-- (?:[a-z_]+=.*?)?-->/g,
      decoration: CM.Decoration.mark({class: "document-note"}),
    });
    const dimmed = CM.ViewPlugin.fromClass(class {
      constructor(view) { this.decorations = notes.createDeco(view); }
      update(update) { this.decorations = notes.updateDeco(update, this.decorations); }
    }, {decorations: (plugin) => plugin.decorations});
    view.dispatch({effects: CM.StateEffect.appendConfig.of([
      dimmed,
      CM.EditorView.contentAttributes.of((view) => ({
        ...attributes,
        ...(view.state.facet(CM.EditorView.editable) ? {} : readOnly),
      })),
    ])});
    view.setTabFocusMode?.(true);
    const paint = () => {
      const theme = Quasar.Dark.isActive ? "githubDark" : "githubLight";
      if (view.dom.isConnected) found.setTheme(theme);
    };
    paint();
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => setTimeout(paint));
  },

  // True when the text was as expected, and now has the changes.
  async swap(id, expected, changes) {
    const CM = await import("nicegui-codemirror");
    const view = getElement(id)?.editor;
    if (!view || view.state.doc.toString() !== expected) return false;
    view.dispatch({changes, annotations: CM.isolateHistory.of("full")});
    return true;
  },

  takeLostFocus(id) {
    setTimeout(() => {
      const view = getElement(id)?.editor, active = document.activeElement;
      const isLost = !active || active === document.body || active.closest("[disabled]");
      if (!view || !isLost) return;
      if (matchMedia("(pointer: coarse)").matches) getSelection().removeAllRanges();
      else view.focus();
    }, 60);
  },

  // The browser asks before a window with unsaved text is closed.
  guard(id, isUnsaved) {
    if (isUnsaved) chatmemEditor.unsaved.add(id);
    else chatmemEditor.unsaved.delete(id);
  },
};
addEventListener("beforeunload", (event) => {
  if (chatmemEditor.unsaved.size) event.preventDefault();
});
