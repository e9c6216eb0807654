import s from './search.module.css';

/** Searches the news. An ordinary form that asks for a list: the address it leads to can be sent to somebody. */
export function Search({ q }: { q: string | undefined }) {
  return (
    <search>
      <form className={s.search} action="/news">
        <label htmlFor="q">Search the news</label>
        <input key={q} id="q" name="q" type="search" defaultValue={q} maxLength={100} />
        <button className="button" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}
