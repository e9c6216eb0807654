import { markdownTree } from '@colonnade/content';
import { expect, it } from 'vitest';
import { queryWords, textWords, treeText } from './words.ts';

const finds = (query: string, text: string) => {
  const words = new Set(textWords(text));
  return queryWords(query).every((word) => words.has(word));
};

it('folds case, accents and width', () => {
  expect(textWords('Écarts Ångström STRAẞE Smørrebrød ﬁne Ｍ３')).toEqual(['ecarts', 'angstrom', 'strasse', 'smorrebrod', 'fine', 'm3']);
  expect(textWords('ﾏｲｸﾛ')).toEqual(textWords('マイクロ'));
});

it('folds letters that Unicode does not take apart', () => {
  expect(textWords('Łódź Đurđa Garðabær Þórr Ħamrun Diyarbakır')).toEqual(['lodz', 'durda', 'gardabaer', 'thorr', 'hamrun', 'diyarbakir']);
  expect([finds('Lodz', 'Łódź'), finds('łódź', 'LODZ'), finds('lodz', 'Lódz')]).toEqual([true, true, true]);
});

it('keeps voiced kana apart', () => {
  expect(textWords('がか')).toEqual(['がか', 'が', 'か']);
  expect(finds('かか', 'がか')).toBe(false);
});

it('finds Japanese inside a run, by pairs and by a single character, beside Latin words', () => {
  const text = 'マイクロメータM3の校正を始めました。';
  for (const query of ['校正', 'メータ', 'm3 校正', '校', 'マイクロメータ']) expect(finds(query, text), query).toBe(true);
  for (const query of ['正校', 'm4 校正', 'M', '校正書']) expect(finds(query, text), query).toBe(false);
});

it('takes a character beyond the basic plane as one', () => {
  expect(textWords('𠮷野')).toEqual(['𠮷野', '𠮷', '野']);
});

it('has no words in what has no letters', () => {
  expect(queryWords('!? — …')).toEqual([]);
});

it('sees the text of a body and not its addresses', () => {
  const text = treeText(markdownTree('# One\n\nTwo [three](/hidden) f**ou**r\n\n| a | b |\n|--|--|\n| c | d |\n\n- e\n- f'));
  expect(textWords(text)).toEqual(['one', 'two', 'three', 'four', 'a', 'b', 'c', 'd', 'e', 'f']);
});
