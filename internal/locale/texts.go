// Every text of the site, by the page that shows it. Texts that are not about one page are in Common.

package locale

// Texts are the texts of one language.
type Texts struct {
	Common    CommonTexts
	Card      CardTexts
	Home      HomeTexts
	Listing   ListingTexts
	Filters   FiltersTexts
	Apartment ApartmentTexts
	Enquiry   EnquiryTexts
	Districts DistrictsTexts
	Mine      MineTexts
	Compare   CompareTexts
	Problem   ProblemTexts
}

// CommonTexts are those of the frame of all pages, and words that many pages use.
type CommonTexts struct {
	Skip     string // the link to the content, for those who use the keyboard
	Cities   string // name of the navigation
	Crumbs   string // name of the path to the page
	Language string // name of the choice of languages
	Invented string // the footer: this is a demonstration
	Old      Phrase // {time}: old data is shown, because the database is away

	M2      string // the sign of the square metre
	Area    Phrase // {area}
	Minutes Phrase // {n}
	Homes   Plural // {n}

	Rooms     [6]string // by number; the last means that many or more
	Studio    string    // Rooms[0] and Rooms[5] where there is little room
	RoomsMore string
	Kinds     [6]string         // what a home with so many rooms is called
	Amenities map[string]string // by slug
}

// CardTexts are those of an apartment in a list.
type CardTexts struct {
	Was   string // before an old price, for those who do not see that it is struck out
	Price string // before a change such as −4.5%
	New   string
	Facts Phrase // {rooms} {area} {floor} {floors}
	Where Phrase // {address} {minutes}

	ListedToday, ListedYesterday string
	ListedAgo                    Plural // {n} days
	ListedOn                     Phrase // {date}

	ChangedToday, ChangedYesterday string
	ChangedAgo                     Plural // {n} days
	ChangedOn                      Phrase // {date}

	InBuilding Plural // {n}: more homes at the same address
}

// HomeTexts are those of the home page.
type HomeTexts struct {
	Title       string
	Lead        string
	Description string // for search engines
	Cities      string
	JustListed  string

	City, Price, Search string // the form
	PerM2               Phrase // {price}
	Map                 string // link to the districts
}

// ListingTexts are those of the results of a search.
type ListingTexts struct {
	Title       Phrase // {city}
	TitleOfPage Phrase // {title} {page}
	Description Phrase // {homes} {city}
	Shown       Phrase // {first} {last} {total}

	Sort, Go  string
	Newest    string
	Cheapest  string
	Dearest   string
	PerM2     string
	Largest   string
	Chips     string // name of the list of filters in use
	Remove    string // before the name of a filter that the link takes away
	ClearAll  string
	Nothing   string // heading when nothing matches
	Widen     string // what to do then
	Whole     string // the way out
	MoreHomes string // heading when there are hardly any
	Relaxed   Phrase // {filter} {homes}: what there would be without it
	AsOf      Phrase // {time} at which the data was read
	Old       Phrase // {age}: the same, as time that has passed since
	Follow    string // the link to the feed
	Feed      Phrase // {title} of the search: name of the feed
	Market    string // name of the three figures below
	Cheap     string
	Median    string
	Dear      string
	Pages     string // name of the navigation
	Page      Phrase // {page}
	Back, On  string // to the previous and the next page
}

// FiltersTexts are those of the form beside the results.
type FiltersTexts struct {
	Filters  string
	InUse    Phrase // {n}
	Rooms    string
	Price    Phrase // {currency}
	Area     string
	District string
	Min, Max string // of a range: labels of its two boxes
	From     Phrase // {value}: the name of a filter
	UpTo     Phrase // {value}
	Show     Phrase // {homes}: the button

	PerM2     string // legends and labels
	Walk      string
	AnyWalk   string
	WalkUpTo  Phrase // {n} minutes
	FloorYear string
	Floor     string
	Year      string
	Amenities string
	Within    Phrase // {n} minutes: the name of a filter, as the next four
	FloorFrom Phrase // {n}
	FloorUpTo Phrase // {n}
	YearFrom  Phrase // {n}
	YearUpTo  Phrase // {n}

	NoPrices    string // the histogram in words
	PricesRange Phrase // {homes} {from} {to}
	PricesOver  Phrase // {homes} {from}
}

// ApartmentTexts are those of the page of one apartment.
type ApartmentTexts struct {
	Picture   Phrase // {address}
	Gallery   string
	Interiors [5]string // as templates.InteriorKinds
	About     string
	Amenities string
	Views     Plural // {n}

	Rooms, Area, Floor, Built, Metro, Walk, District string // names of facts
	FloorOf                                          Phrase // {floor} {floors}

	Plan      string
	PlanTitle Phrase    // {rooms} {area}
	PlanNote  string    // below it
	PlanRooms [8]string // as templates.RoomKind
	Metre     string    // its sign

	History string
	Since   string // columns of the history
	Price   string
	Change  string
	Summary Phrase // {changes} {low} {high}: the chart in words
	Changes Plural // {n}

	Market                             string
	BelowMedian, AtMedian, AboveMedian Phrase // {percent} {median} {district} {homes}
	ThisHome                           string
	Similar                            string

	Share, Link          string // the part with the link, and the field that holds it
	Copy, Copied, ByMail string
}

// EnquiryTexts are those of the form that asks about a home.
type EnquiryTexts struct {
	Ask         string // the link to it, and its heading
	Name        string
	Contact     string
	ContactHint string
	Message     string
	Privacy     string
	Send        string

	Mistakes  string // heading of what is wrong
	Missing   string
	Unseen    string
	TooLong   Phrase // {most}
	NoContact string
	TooMany   Plural // {n} minutes
	Another   string // the form was used for another question
	Away      string

	Sent, SentText string
	Back           string
}

// ProblemTexts are those of the pages that say what went wrong.
type ProblemTexts struct {
	Code    Phrase // {status}
	Home    string // the ways out
	Again   string
	Without string
	All     string
	City    Phrase // {city}
	Mention Phrase // {id} of the request

	Input           string // heading, as the first of each pair below
	InputText       Phrase // {value} {field} {reason}
	UnknownDistrict string // reasons
	UnknownAmenity  string
	NoRooms         Phrase // {max}
	NoNumber        string
	TooLarge        Phrase // {limit}
	UnknownSort     string
	NoPage          string

	Gone, GoneText             string
	NotFound, NotFoundText     string
	Method, MethodText         string
	Overloaded, OverloadedText string
	Forged, ForgedText         string
	Broken, BrokenText         string
	Other, OtherText           string
}

// MineTexts are those of what a visitor keeps: shortlist, homes looked at last, hidden homes.
type MineTexts struct {
	Save, Saved, Drop      string // the button on a home, the same when it is saved, what that does then
	Hide, Hidden           string // the button on a home, and what remains in its place
	Undo, Show             string // brings it back: at once, later
	HiddenCount            string // before a number
	AllHidden              string // instead of a page of homes, if all of them are
	Withdrawn              string // on a home that is no longer on offer
	SaidSaved, SaidDropped string // said after pressing a button, to those who do not see what it did
	SaidHidden, SaidShown  string

	Title, Lead       string // of the visitor's own page
	Shortlist         string
	Empty, Look       string // of the shortlist, and the way out
	Seen, HiddenHomes string
	Full              Plural // {n}: the shortlist has no place left
	Missing           string // some homes could not be looked up
	Pick, Compare     string
	CompareHint       string
}

// CompareTexts are those of the comparison.
type CompareTexts struct {
	Title, Lead      string
	PerM2            string
	Lowest, Largest  string // why a value is the best
	Shortest, Newest string
	Missing          Plural // {n}
	Wrong            string // not the right number of homes
}

// DistrictsTexts are those of the districts of a city.
type DistrictsTexts struct {
	Title       Phrase // {city}
	Description Phrase // {city}
	Map, Table  string
	Homes       string
	Legend      string
	Note        string // what the prices are

	Cheap, Median, Dear string // the columns
}
