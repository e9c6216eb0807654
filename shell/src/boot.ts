import type { DataAnswer, SetTable } from './set-table.ts';
import type { Chrome } from './ui/chrome.ts';

/** The inert JSON in every document, `<script type="application/json" id="boot">`. */
export interface Boot extends DataAnswer {
  /** Of the whole set table, which has that of all that is loaded later. Not in development. */
  integrity?: string;
  chrome: Chrome;
  /** Patterns of all routes of the set, most specific first: which links the shell takes over. */
  paths: string[];
  /** Style sheets of parts that stand in the document. */
  styles: string[];
  /** The part of the set table this page needs, where the browser is to bring it to life; its first route is the page's own. */
  table?: SetTable;
}
