import { flushSync } from 'react-dom';
import type { View } from '../view.ts';
import type { RootHandle } from './root.tsx';

/**
 * Leaves a page that needs no code as the server sent it: nothing is hydrated, and navigation works. React begins with
 * the next page, which takes the place of the whole document's content.
 * @param render begins with a view
 */
export function leaveAsItIs(handle: RootHandle, render: (view: View) => void): void {
  const main = document.getElementById('main') as HTMLElement;
  const waiting = document.createElement('div');
  waiting.className = 'waiting';
  // The same two signs as the layout's.
  handle.navigating = (state) => {
    if (state === 'idle') waiting.remove();
    else main.before(waiting);
    main.ariaBusy = state === 'idle' ? null : 'true';
  };
  handle.show = (view) => {
    handle.current = view;
    flushSync(() => render(view));
  };
  handle.taken();
}
