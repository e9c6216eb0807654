/**
 * Paragraphs that several items of one kind can share, as a company’s announcements do: `kind Heading`, then the text.
 * `{serials}`, `{n}`, `{weeks}`, `{weekday}` and `{year}` are filled in by compose.ts.
 */
export const englishFragments = `
new Delivery
First deliveries leave in {weeks} weeks. Distributors in all countries have a piece to look at, and so has the hall in Ängsholm.

new What comes with it
- the instrument, cleaned and oiled with an oil that does not resin
- a certificate with the error at each point and the uncertainty
- instructions on one sheet, in twelve languages
- a case that closes

new How it was tested
Before the first piece was sold, {n} were in use at customers’ works for half a year. Four came back with remarks, all of which have been followed but one: it is not available in red.

new Care
Wipe it dry after use and leave a film of oil on what is bare. Do not close it quite when you put it away. More it does not ask for.

new Repair
As with everything we have made since 1966, parts are kept for at least twenty years after the last piece. Repairs are done in Ängsholm and Łódź.

new Calibration
The first calibration is part of the price. After that it is measured like any other instrument, in eight working days as a rule. To book a date, [write an inquiry](/inquiry).

new Serial numbers
The first series bears the numbers \`{serials}\`. The number is engraved on the back and leads to all figures that we hold.

new What we left out
There is no display and no battery. Whoever needs figures in a computer finds a cable or a transmitter in the catalogue; whoever does not, has nothing that runs empty.

new Figures
| Property | Value |
| --- | --- |
| Reference temperature | 20 °C |
| Permitted in use | 5 to 40 °C |
| Repeatability, half of readings | within a third of a division |
| Life in the test | {n}0,000 strokes |

notice Is mine concerned?
Look for the number engraved on the back. If it lies between \`{serials}\` or within the numbers above, please write to us, even if nothing seems wrong.

notice What to do
- Go on using the instrument if its zero is right
- Note the serial number
- [Write an inquiry](/inquiry) and choose “Repair or spare part”
- Wait for the label: carriage is paid by us

notice How it was found
A customer noticed, measured twice and wrote to us on a {weekday}. We had {n} pieces of the same series back within a month and found it in three.

notice How long it takes
Two working days in our house, plus the way. If you cannot do without it, we lend you another for the time.

notice Measurements already made
Nothing needs to be measured again unless the part was closer to its limit than a quarter of the tolerance. In that case we help with the reckoning.

notice Thanks
We know of {n} instruments that were affected and have written to everyone whose address we hold. Notices such as this one stay on this page for good.

notice What we have changed
The check has been added to the final inspection and stands on the card of each piece, with a mark of the person who did it.

parts Ordering
Give the serial number of the instrument; the right part follows from it. Orders by noon leave on the same day from {n} in a hundred shelves, the others within {weeks} weeks.

parts Who can fit them
The sheet with each part says whether it needs a tool, a skill or us. About a third need us, because two faces are lapped to one another.

parts After the repair
A part that moves the zero or touches the scale makes a calibration necessary. We do it in the same visit and charge half.

parts What we no longer have
For instruments before 1978 there are parts only from other instruments. We look after {n} such donors and are glad of more.

parts Prices
| Part | Share of the price of a new instrument |
| --- | --- |
| Springs, felts, screws | below 1 per cent |
| Ratchets, clamps, glasses | 2 to 5 per cent |
| Spindles, racks, columns | 15 to 30 per cent |

parts Why we do it
An instrument whose parts can be had is worth keeping in order. That {n} in a hundred of those sold in 1990 are still being calibrated is the best advertisement we know.

parts Drawings
Exploded drawings of all instruments are free of charge. Ask for yours by its serial number, for example \`{serials}\`.

data The format
One line for each point: nominal value, error, uncertainty, temperature. Separated by tabs, decimal point, in micrometres. A line that begins with \`#\` is a remark.

data How to get it
[Write an inquiry](/inquiry), choose “Documents” and give the serial numbers, for example \`{serials}\`. Lists of more than a hundred numbers are welcome as a table.

data Who may see it
Figures of an instrument go to whoever holds it: we ask for two values from the certificate before we send more.

data What it costs
Nothing. The figures were measured for you; you have paid for them once.

data Limits
A correction is worth as much as the temperature at which it is used. Beyond 18 to 22 °C it can make matters worse.

data Questions and faults
A colleague in the laboratory answers on {weekday}s between 9 and 11. In the first year there were {n} questions, most of them about the decimal point.

price Valid for
Orders that reach us by 31 December are invoiced at the old price if they can be delivered within {weeks} weeks.

price At a glance
| Group | Change |
| --- | --- |
| Callipers and depth gauges | as above |
| Micrometers | half a point more |
| Gauge blocks | one point less |
| Calibration | unchanged |

price Discounts
Schools, universities and repair workshops keep their discounts. From {n} pieces of one order number the list shows a second price.

price Where to get it
From your distributor, or from us: [write an inquiry](/inquiry) and choose “Documents”. The printed list weighs 190 grams and is sent on request.

price Delivery times
At present callipers and micrometers take {weeks} weeks, height gauges two weeks longer. What is in stock leaves on the next working day.

scope What this means for customers
Certificates in this range bear the mark of accreditation and are accepted in all countries that have signed the agreement. The price is that of a works certificate.

scope How it was assessed
Two assessors watched {n} measurements, asked for the reckoning of each uncertainty and took the files of last year along. The report came after {weeks} weeks.

scope The scope in brief
| Object | Range | Smallest U (*k* = 2) |
| --- | --- | --- |
| Gauge blocks | 0.5 to 100 mm | 0.05 µm |
| Outside micrometers | to 300 mm | 1.0 µm |
| Dial indicators | to 50 mm | 1.5 µm |
| Callipers | to 1 m | 10 µm |

scope What is not covered
Angles, roughness and anything above one metre are outside our scope. We know good laboratories for them and give their names.

scope Standards used
Each step goes back to the definition of the metre by way of the national laboratory in Borås. Our reference blocks were there last in the spring of {year}.

scope To book a date
[Write an inquiry](/inquiry) with kind, range and number of the instruments. Most dates are given within {weeks} weeks; urgent ones are kept for {weekday}s.

comparison Why we compare
An uncertainty is a claim. The only way to test it is to let others measure the same thing without telling them what we found.

comparison How it was done
The pieces travelled in a closed case with a logger for temperature and shock. Each laboratory had {weeks} weeks and did not know the results of the others.

comparison Evaluation
The reference is the mean weighted by uncertainty. A value counts as in agreement if its distance from the reference is smaller than the two uncertainties together. {n} values were evaluated.

comparison What we learned
We now wait two hours longer before the first reading, and wear the second pair of gloves. It changes the result by less than the uncertainty, and in the right direction.

comparison The report
It has {n} pages and names the laboratories by letters. Ask for it under “Documents” in the [inquiry](/inquiry).

comparison Next
The next round begins after the summer. Laboratories that want to take part may write to us; there is room for two.

service What stays the same
Prices, labels and the number of points measured do not change. Each instrument is still cleaned and looked at before it is measured.

service Sending instruments
- Enclose a sheet with your order number and a name
- Loosen clamps, open jaws by a millimetre
- Address the parcel to gate 2
- Insure it at the price of a new one

service If it is urgent
Four places a week are kept for instruments without which production stands still. They are given by telephone, on the day, and cost half as much again.

service In figures
| Last twelve months | |
| --- | --- |
| Instruments calibrated | about 31,000 |
| Adjusted or repaired before | {n} in a hundred |
| Made by others | a third |

service Questions
The laboratory answers on weekdays from 8 to 16, on {weekday}s until 18. In writing, an [inquiry](/inquiry) is the shortest way.

service Why
We asked {n} customers what they would change if they could change one thing. This was named most often.

advice In practice
Write it down: date, instrument, who, what was found. After {weeks} months the notes show more than any rule.

advice A common mistake
The better instrument is taken because the part is difficult. Often the part is difficult because it is warm, dirty or has a burr, and the better instrument shows it with one digit more.

advice What we do ourselves
In our own works {n} instruments are in daily use for each person in the laboratory. They are checked on {weekday}s against one setting piece, which takes less time than looking for an excuse.

advice Further reading
The sheet “Measuring without haste” has eight pages and is free of charge. [Write an inquiry](/inquiry) and choose “Documents”.

advice A test you can do
Take one part and have three people measure it ten times, without seeing each other’s values. The spread is what you can promise, whatever the instrument says.

advice When in doubt
Send us the part instead of the instrument. We measure it, you measure it, and the difference is what you wanted to know.

report The markets
Sweden took about a fifth of deliveries, the rest of Europe half. Of 71 distributors {n} ordered more than in the year before.

report Investments
Most was spent on the works: a grinding machine, the ventilation of the measuring room, benches. Nothing was bought on credit.

report Personnel
Of those who work here, {n} in a hundred have been with us for more than ten years. Two people left for other employers.

report Calibration and repair
Services brought about a quarter of net sales. Since they follow the number of instruments in use and not the number sold, they steady the rest.

report Accounts
The figures have been reviewed by the auditor. Printed reports are sent on request; [write an inquiry](/inquiry) and choose “Documents”.

report Next dates
The next report appears in the week after the board has met. Dates are not moved.

people How to apply
A letter of one page and, if you have one, something that you have made. We look at the second first. [Write to us](/inquiry).

people What follows
Everyone new spends {weeks} weeks in the laboratory before going to their own bench. Whoever has seen a part being measured makes it differently.

people The house
About three hundred people work in Ängsholm, Łódź and Tokyo. What we make and since when stands on the page [Company](/company).

people From the works
> It takes two years until you see the line, and a third until you see it without looking for it.
That is how the head of the engraving shop puts it, who began here as an apprentice.

people In numbers
Of all apprentices since 1966, {n} in a hundred stayed for at least five years. The longest-serving has seen four managing directors.

plain The house
About three hundred people in Ängsholm, Łódź and Tokyo make, calibrate and repair instruments for measuring length. More stands on the page [Company](/company).

plain For customers
Orders and calibrations are not affected. If something takes longer than we have confirmed, we write before the date and not after it.

plain From the archive
There is a note of 1974 on the same subject. It is shorter than this one and comes to the same result.

plain Questions
Whoever wants to know more may [write to us](/inquiry). Answers come within two working days, from someone who was there.

plain In brief
| | |
| --- | --- |
| Founded | 14 March 1966 |
| Works and laboratory | Ängsholm |
| Service | Łódź, Tokyo |
| Instruments a year | about 60,000 |

plain How it was decided
The works council talked about it on two {weekday}s and asked {n} colleagues. The minutes hang in the canteen, where they were added to.

site During the works
Deliveries go to gate 2 as usual. For {weeks} weeks there may be noise on {weekday}s between 7 and 9; the measuring rooms stand on their own foundations and notice nothing.

site What it cost
Less than planned, because {n} colleagues did a part of it themselves, and later than planned for the same reason.

site Visiting
Groups of up to twelve are welcome on the first {weekday} of the month. Please [write](/inquiry) three weeks ahead; the measuring room is shown through a window.

site What remains
The old part of the building is kept as it was, down to the hooks for the nets. How to get here is described under [Access](/company).

site Environment
We need a third less electricity for each instrument than in 2005. What remains goes into keeping one room at 20.0 °C, which no one has yet found a way around.

fair At the stand
- all instruments of the catalogue, to be touched
- a surface plate with parts to measure
- a chair for everyone who asks a question

fair Opening hours
Daily from 9 to 17, on the last day until 15. The stand is staffed in English, Swedish and the language of the place.

fair Dates for a talk
Half an hour can be booked for questions about an instrument or a certificate. [Write an inquiry](/inquiry) and give the day; {weekday} mornings are quiet.

fair Bring an instrument
We check the zero of any maker’s instrument while you wait and say honestly whether it needs more. Last time {n} in a hundred did not.

fair How to get there
From the main station by tram in {n} minutes. Parking is dear; the bicycle stand at the north gate is free.

fair Afterwards
What was measured at the stand will be put on this page {weeks} weeks later, without names.
`;
