// The editor of a cell: CodeMirror with what Python needs, and no more. `book/live/editor.py` makes one
// script of this file and of the packages that it imports.
import { Decoration, EditorView, keymap, highlightSpecialChars, drawSelection } from "@codemirror/view";
import { EditorState, Prec } from "@codemirror/state";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { pythonLanguage } from "@codemirror/lang-python";
import { classHighlighter } from "@lezer/highlight";

const HELD = Decoration.mark({ class: "tl-in" });

/** As book/html/code.py: a line goes on two columns behind its own beginning, and holds its first letter. */
const hanging = EditorView.decorations.compute(["doc"], ({ doc }) => {
  const lines = Array.from({ length: doc.lines }, (_, at) => doc.line(at + 1));
  return Decoration.set(lines.flatMap((line) => {
    const column = line.text.length - line.text.trimStart().length;
    const hung = Decoration.line({ class: "tl-line", attributes: { style: `--in:${column}` } }).range(line.from);
    const isIndented = column > 0 && column < line.length;
    return isIndented ? [hung, HELD.range(line.from, line.from + column + 1)] : [hung];
  }));
});

/**
 * Put an editor into `parent`.
 * @param {{parent: Element, text: string, label: string, most: number, onChange: (text: string) => void,
 *   onTooLong: (length: number) => void, onRun: () => void}} options `most` characters fit
 * @returns {{text: () => string, set: (text: string) => void, focus: () => void}}
 */
export function editor({ parent, text, label, most, onChange, onTooLong, onRun }) {
  const fits = (length) => {
    if (length > most) onTooLong(length);
    return length <= most;
  };
  const run = () => { onRun(); return true; };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([{ key: "Shift-Enter", run }, { key: "Mod-Enter", run }])),
        history(),
        highlightSpecialChars(),
        drawSelection(),
        hanging,
        pythonLanguage,
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        // A quote that is closed by itself gives five where somebody types three.
        Prec.highest(EditorState.languageData.of(() => [{ closeBrackets: { brackets: ["(", "[", "{"] } }])),
        closeBrackets(),
        syntaxHighlighting(classHighlighter),
        // Tab indents; Escape and then Tab leaves, as the label says.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          "aria-label": label, tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
        }),
        // The caret stays below the header of the page, for which a link into the page leaves room, too.
        EditorView.scrollMargins.of(() => (
          { top: parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0 })),
        EditorState.changeFilter.of((change) => !change.docChanged
          || change.newDoc.length <= change.startState.doc.length || fits(change.newDoc.length)),
        // A text that is far too long is refused before it is cut into lines, which takes minutes.
        EditorView.domEventHandlers({
          paste: (event) => !fits(event.clipboardData?.getData("text/plain").length ?? 0),
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set: (value) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } }),
    focus: () => view.focus(),
  };
}
