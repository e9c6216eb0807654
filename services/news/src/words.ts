/**
 * The words by which an item is found: the same for a text that is stored and for a query. Whoever changes how they are made
 * adds a migration that makes the stored ones anew.
 */
import type { Tree, TreeNode } from '@colonnade/content';

/** Han, kana and their marks stand without spaces between words. */
const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆]';
const runs = new RegExp(`(?<cjk>${cjk}+)|[[\\p{L}\\p{N}\\p{M}]--${cjk}]+`, 'gv');
/** Letters that Unicode does not take apart into a letter and its mark. */
const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i' };
const undivided = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');
/** Index keys stay short; no word of a language is longer. */
const maxLetters = 40;
/** Of one item. 100,000 characters of Markdown may hold more, but no text does. */
const maxWords = 10_000;

/** The words of a text: Latin ones in small letters without accents; of Chinese and Japanese each character and each pair. */
export function textWords(text: string): string[] {
  const words = new Set<string>();
  for (const { word, pairs, single } of wordsOf(text)) {
    for (const each of [word, ...pairs, ...single]) if (each !== undefined && words.size < maxWords) words.add(each);
  }
  return [...words];
}

/** The words of a query, all of which have to occur; of Chinese and Japanese the pairs, and a character that stands alone. */
export function queryWords(query: string): string[] {
  const words = new Set<string>();
  for (const { word, pairs, single } of wordsOf(query)) {
    for (const each of [word, ...(pairs.length > 0 ? pairs : single)]) if (each !== undefined) words.add(each);
  }
  return [...words];
}

function* wordsOf(text: string): Generator<{ word?: string; pairs: string[]; single: string[] }> {
  for (const match of fold(text).matchAll(runs)) {
    const single = match.groups?.cjk === undefined ? [] : [...match[0]];
    if (single.length === 0) yield { word: match[0].slice(0, maxLetters), pairs: [], single };
    else yield { pairs: single.slice(1).map((character, index) => `${single[index]}${character}`), single };
  }
}

/** NFKC makes one of full-width and half-width forms. Only Latin, Greek and Cyrillic lose their marks: が is not か. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(undivided, (letter) => letters[letter] ?? letter);
}

/** What a reader sees of a body, without addresses. */
export function treeText(tree: Tree): string {
  return tree.map(nodeText).join('');
}

const inline = new Set(['em', 'strong', 'code', 'a']);

function nodeText(node: TreeNode): string {
  if (typeof node === 'string') return node;
  switch (node.tag) {
    case 'img':
      return ` ${node.alt} `;
    case 'pre':
      return ` ${node.text} `;
    case 'hr':
    case 'br':
      return ' ';
    case 'table':
      return ` ${[node.head, ...node.rows].flat().map(treeText).join(' ')} `;
    default:
      // An emphasised part of a word does not divide it; a paragraph does.
      return inline.has(node.tag) ? treeText(node.children) : ` ${treeText(node.children)} `;
  }
}
